import type { ProblemBody, Recorded, Round, Session, SignedIn, Start } from '../../contract/api.ts'

/** The timeout of a call, so long that only a hanging call fails. */
const TIMEOUT_MS = 30_000

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

export interface ClientRequest {
  readonly method?: string
  readonly json?: unknown
  /** A body that is sent unchanged, declared as JSON. */
  readonly text?: string
  readonly headers?: Record<string, string>
}

/** An HTTP client that keeps cookies like a browser. */
export class Client {
  readonly url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.url = url
  }

  /** Copies this client with its cookies, optionally for another node. */
  copy(url = this.url): Client {
    return this.copyTo(new Client(url))
  }

  protected copyTo<Twin extends Client>(twin: Twin): Twin {
    for (const [name, value] of this.cookies) twin.cookies.set(name, value)
    return twin
  }

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.send<Body>(path)
  }

  post<Body>(path: string, json?: unknown): Promise<Answer<Body>> {
    return this.send<Body>(path, { method: 'POST', json })
  }

  /** Repeats a POST until the answer is not 503. */
  async insist<Body>(path: string, json?: unknown, headers = {}): Promise<Answer<Body>> {
    for (;;) {
      const answer = await this.send<Body>(path, { method: 'POST', json, headers })
      if (answer.status !== 503) return answer
    }
  }

  /** Sends any request, and parses a non-empty answer as JSON. */
  async send<Body>(
    path: string,
    { method = 'GET', json, text, headers = {} }: ClientRequest = {},
  ): Promise<Answer<Body>> {
    const content = text ?? (json === undefined ? undefined : JSON.stringify(json))
    const response = await fetch(this.url + path, {
      method,
      headers: {
        cookie: Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; '),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    this.#keep(response.headers.getSetCookie())
    const read = await response.text()
    return { status: response.status, headers: response.headers, body: read === '' ? null : JSON.parse(read) }
  }

  async session(): Promise<Session> {
    return (await this.get<Session>('/api/session')).body
  }

  async start(round: Round): Promise<string> {
    return (await this.post<Start>('/api/rounds', { round: round.token })).body.start
  }

  /** Plays a round and stops `differenceMs` after the target. */
  async play(round: Round, differenceMs: number, username = 'Test Player 1'): Promise<Answer<Recorded>> {
    const actual_time = (Math.round(round.target_time * 1_000) + differenceMs) / 1_000
    return this.post<Recorded>('/api/attempts', { start: await this.start(round), username, actual_time })
  }

  createAccount(username: string, password: string): Promise<Answer<SignedIn & ProblemBody>> {
    return this.post('/api/users', { username, password })
  }

  login(username: string, password: string): Promise<Answer<SignedIn & ProblemBody>> {
    return this.post('/api/login', { username, password })
  }

  #keep(setCookies: string[]): void {
    for (const line of setCookies) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
