import { command } from './command.ts'
import type { Container } from './container.ts'

/** What connects a machine to the switch of `openNetwork`, held at the switch's end. */
export class Cable {
  readonly #port: string

  private constructor(port: string) {
    this.#port = port
  }

  /** Plugs a machine in, at an address of its own. */
  static async plug(container: Container, name: string, address: string): Promise<Cable> {
    const port = `to-${name}`
    const other = ['peer', 'name', 'lan', 'netns', `${container.pid}`]
    await command('ip', 'link', 'add', port, 'type', 'veth', ...other)
    await command('ip', 'link', 'set', port, 'master', 'switch', 'up')
    await container.ip('address', 'add', `${address}/24`, 'dev', 'lan')
    await container.ip('link', 'set', 'lan', 'up')
    await container.ip('link', 'set', 'lo', 'up')
    return new Cable(port)
  }

  async cut(): Promise<void> {
    await command('ip', 'link', 'set', this.#port, 'down')
  }

  async mend(): Promise<void> {
    await command('ip', 'link', 'set', this.#port, 'up')
  }
}
