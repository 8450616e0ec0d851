export function Title() {
  return (
    <h1 className="title">
      T<span>A</span>PS
    </h1>
  )
}
