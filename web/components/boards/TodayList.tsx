import type { Today } from '../../../contract/api.ts'
import { formatDifference, toMs } from '../../../contract/time.ts'
import type { Live } from '../../live/live.ts'
import { isOwnRow, type Reader } from '../../result/today.ts'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart } from '../hooks/useStore.ts'
import { Named } from './Named.tsx'
import { Place, placed, slots } from './Place.tsx'

interface Props {
  live: Live
  /** The player who reads the list; null in board mode, which has no player. */
  reader: Reader | null
  /** What an empty list says. */
  empty?: string
}

/** Shows the best hands of the day. Shows nothing while a node has no such list. */
export function TodayList({
  live,
  reader,
  empty = 'No hand of five yet today. Yours would be the first.',
}: Props) {
  const rows = usePart(live, ({ parts }) => parts.today)?.today ?? null
  const calm = useSettled(rows)
  return (
    <>
      {rows?.length === 0 && <p className="empty">{empty}</p>}
      <ol className="rows ranks" data-calm={calm} data-loading={rows === null} style={slots(0, false)}>
        {withKeys(rows ?? NO_ROWS).map(({ key, row }, index) => (
          <li
            key={key}
            className="row rank"
            data-kind={reader !== null && isOwnRow(row, reader) ? 'own' : 'other'}
            style={placed(index)}
          >
            <Place rank={index + 1} />
            <Named name={row.username} isGuest={row.is_guest} />
            <span className="taps">{`${formatDifference(toMs(row.average))} s`}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

type Row = Today['today'][number]

const NO_ROWS: readonly Row[] = []

/** Gives each row a React key that stays the same while the row moves. Guests may share a name. */
function withKeys(rows: readonly Row[]): { key: string; row: Row }[] {
  const isSame = (one: Row, other: Row) => one.username === other.username && one.is_guest === other.is_guest
  return rows.map((row, index) => {
    const earlier = rows.slice(0, index).filter(other => isSame(row, other)).length
    return { key: `${row.is_guest} ${earlier} ${row.username}`, row }
  })
}
