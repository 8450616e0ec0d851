import { open, statfs } from 'node:fs/promises'

/** Enough for the last start of PostgreSQL. */
const TAIL_BYTES = 16 * 1_024

/** PostgreSQL cannot start with less. */
const FULL_BYTES = 256 * 1_024

const COMPLAINT = /(?:FATAL|PANIC|error): +(.+)$/

/** What PostgreSQL's programs say last about why they gave up, as one line. */
export function lastComplaint(output: string): string {
  const lines = output.split('\n').filter(line => line.trim() !== '')
  const complaints = lines.flatMap(line => COMPLAINT.exec(line)?.[1] ?? [])
  return complaints.at(-1) ?? lines.at(-1)?.trim() ?? 'it gave no reason'
}

/** The last complaint in a log file that was `from` bytes long before. */
export async function complaintIn(file: string, from: number): Promise<string> {
  if (await isDiskFull(file)) return 'no space left on the disk'
  return lastComplaint(await readTail(file, from).catch(() => ''))
}

async function readTail(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const start = Math.max(from, size - TAIL_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** What a log on a full disk says is cut short or missing. */
async function isDiskFull(file: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(file)
  return bavail * bsize < FULL_BYTES
}
