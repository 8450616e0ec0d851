import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../../server/lib/files.ts'

const run = promisify(execFile)

/** A new cluster takes 47 MB, and its log of changes keeps 80 MB to write over. */
const SIZE = '256m'
const BIG_CHUNK = Buffer.alloc(1024 * 1024)
const SMALL_CHUNK = Buffer.alloc(4096)

/** A small disk of its own that can be filled to the last byte. */
export class Disk {
  readonly #mount: string

  private constructor(mount: string) {
    this.#mount = mount
  }

  /** Mounts one, which takes root. Null with the reason where that is not allowed. */
  static async mount(): Promise<{ disk: Disk } | { disk: null; reason: string }> {
    const mount = await mkdtemp(join(tmpdir(), 'taps-disk-'))
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', mount])
      return { disk: new Disk(mount) }
    } catch (error) {
      await rm(mount, { recursive: true })
      return { disk: null, reason: error instanceof Error ? error.message.trim() : String(error) }
    }
  }

  /** A folder on it. */
  async folder(): Promise<string> {
    const folder = join(this.#mount, 'data')
    await mkdir(folder)
    return folder
  }

  /** Takes all the room that is left. */
  async fill(): Promise<void> {
    const file = await open(this.#filler, 'a')
    for (const chunk of [BIG_CHUNK, SMALL_CHUNK]) {
      try {
        for (;;) await file.write(chunk)
      } catch (error) {
        if (errorCode(error) !== 'ENOSPC') throw error
      }
    }
    await file.close()
  }

  /** Gives it back. */
  async empty(): Promise<void> {
    await rm(this.#filler, { force: true })
  }

  async unmount(): Promise<void> {
    await run('umount', [this.#mount])
    await rm(this.#mount, { recursive: true })
  }

  get #filler(): string {
    return join(this.#mount, 'filler')
  }
}
