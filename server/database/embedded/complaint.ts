import { readFile, statfs } from 'node:fs/promises'

/** PostgreSQL cannot start with less. */
const FULL_BYTES = 256 * 1_024

const COMPLAINT = /(?:FATAL|PANIC|error): +(.+)$/

/** What PostgreSQL's programs say last about why they gave up, as one line. */
export function lastComplaint(output: string): string {
  const lines = output.split('\n').filter(line => line.trim() !== '')
  const complaints = lines.flatMap(line => COMPLAINT.exec(line)?.[1] ?? [])
  return complaints.at(-1) ?? lines.at(-1)?.trim() ?? 'it gave no reason'
}

/** The last complaint in a log file that was `from` bytes long before; each start begins with a short one. */
export async function complaintIn(file: string, from: number): Promise<string> {
  if (await isDiskFull(file)) return 'no space left on the disk'
  const log = await readFile(file).catch(() => Buffer.alloc(0))
  return lastComplaint(log.subarray(from).toString())
}

/** What a log on a full disk says is cut short or missing. */
async function isDiskFull(file: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(file)
  return bavail * bsize < FULL_BYTES
}
