/** The setting `ABOUT_URL`, which the server writes into the page's head. */
const ABOUT_URL = document.querySelector<HTMLMetaElement>('meta[name="about"]')?.content

export function Foot() {
  if (!ABOUT_URL) return null
  return (
    <footer className="foot">
      <a href={ABOUT_URL}>About</a>
    </footer>
  )
}
