import { Client, type RawAnswer, type RawRequest } from '../../tests/support/client.ts'
import { HttpConnection } from './connection.ts'

const NO_HEADERS = new Headers()

/** A guest on one keep-alive connection, who sends the same requests as the page. */
export class LoadPlayer extends Client {
  readonly #connection: HttpConnection
  /** The cookies' header, made only once because a guest's cookie stays the same. */
  #cookie = ''

  private constructor(url: string, connection: HttpConnection) {
    super(url)
    this.#connection = connection
  }

  static async join(url: string): Promise<LoadPlayer> {
    const player = new LoadPlayer(url, await HttpConnection.open(url))
    await player.session()
    return player
  }

  /** @throws Error when a call is refused */
  protected override async exchange(path: string, { content }: RawRequest): Promise<RawAnswer> {
    const { status, head, body } = await (content === undefined
      ? this.#connection.get(path, this.#cookie)
      : this.#connection.post(path, this.#cookie, content))
    if (status >= 300) throw new Error(`${path} was answered with ${status}: ${body}`)
    if (head.includes('set-cookie')) {
      this.keep(Array.from(head.matchAll(/^set-cookie: (.*)$/gim), ([, line = '']) => line))
      this.#cookie = this.cookieHeader()
    }
    return { status, headers: NO_HEADERS, body }
  }
}
