/** Shows a player's name, and that the player is a guest if there is room. */
export function Named({ name, isGuest }: { name: string; isGuest: boolean }) {
  return (
    <span className="named">
      <bdi className="name">{name}</bdi> {isGuest && <span className="tag">guest</span>}
    </span>
  )
}
