import { useEffect, useState } from 'react'
import { joinUrl } from '../net/join-address.ts'

const RENEW_MS = 60_000

/** Returns the address to join, or null. Reads the page's address again every minute, because it may change. */
export function useJoinUrl(): string | null {
  const [url, setUrl] = useState(joinUrl)
  useEffect(() => {
    const renew = async () => {
      const page = await readPage().catch(() => null)
      if (page !== null) setUrl(joinUrl(page))
    }
    const timer = setInterval(renew, RENEW_MS)
    return () => clearInterval(timer)
  }, [])
  return url
}

/** Returns the game's page as the server answers now; null for the page of a portal or a proxy. */
async function readPage(): Promise<Document | null> {
  const answer = await fetch('/', { cache: 'no-store', redirect: 'error' })
  if (!answer.ok) return null
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return page.querySelector('meta[property="og:site_name"][content="TAPS"]') === null ? null : page
}
