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

/** A request as it is sent, and an answer as it is received. */
export interface RawRequest {
  readonly method: string
  readonly content: string | undefined
  readonly headers: Record<string, string>
}
export type RawAnswer = Answer<string>

/** A player's HTTP client. Keeps cookies like a browser, and the current round like the page. */
export class Client {
  url: string
  readonly cookies = new Map<string, string>()
  /** The round of the last answer that had one; null when unknown, as after a change of cookies. */
  round: Round | null = null

  constructor(url: string) {
    this.url = url
  }

  /** Copies this client with its cookies, optionally for another node. */
  copy(url = this.url): Client {
    return this.copyTo(new Client(url))
  }

  protected copyTo<Twin extends Client>(twin: Twin): Twin {
    for (const [name, value] of this.cookies) twin.cookies.set(name, value)
    twin.round = this.round
    return twin
  }

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.send<Body>(path)
  }

  post<Body>(path: string, json?: unknown): Promise<Answer<Body>> {
    return this.send<Body>(path, { method: 'POST', json })
  }

  /** Sends any request, and parses a non-empty answer as JSON. */
  async send<Body>(
    path: string,
    { method = 'GET', json, text, headers = {} }: ClientRequest = {},
  ): Promise<Answer<Body>> {
    const content = text ?? (json === undefined ? undefined : JSON.stringify(json))
    const answer = await this.exchange(path, { method, content, headers })
    const body = answer.body === '' ? null : JSON.parse(answer.body)
    if (body?.round) this.round = body.round
    return { status: answer.status, headers: answer.headers, body }
  }

  async session(): Promise<Session> {
    return accepted('/api/session', await this.get<Session>('/api/session'))
  }

  /** Starts a round; by default the current round. */
  async start(round?: Round): Promise<Start> {
    const { token } = round ?? this.round ?? (await this.session()).round
    return accepted('/api/rounds', await this.post<Start>('/api/rounds', { round: token }))
  }

  /** Stops a started round `differenceMs` after its target. */
  stop(
    { start, target_time }: Start,
    differenceMs: number,
    username = 'Test Player 1',
  ): Promise<Answer<Recorded>> {
    const actual_time = (Math.round(target_time * 1_000) + differenceMs) / 1_000
    return this.post<Recorded>('/api/attempts', { start, username, actual_time })
  }

  /** Plays the current round, and stops `differenceMs` after its target. */
  async play(differenceMs: number, username?: string): Promise<Answer<Recorded>> {
    return this.stop(await this.start(), differenceMs, username)
  }

  createAccount(username: string, password: string): Promise<Answer<SignedIn & ProblemBody>> {
    return this.post('/api/users', { username, password })
  }

  login(username: string, password: string): Promise<Answer<SignedIn & ProblemBody>> {
    return this.post('/api/login', { username, password })
  }

  protected async exchange(path: string, request: RawRequest): Promise<RawAnswer> {
    const { method, content, headers } = request
    const cookie = this.cookieHeader()
    const response = await fetch(this.url + path, {
      method,
      headers: { cookie, ...(content !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(content !== undefined && { body: content }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // Keeps the cookies first, like a browser whose connection breaks within the body.
    this.keep(response.headers.getSetCookie())
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  protected cookieHeader(): string {
    return Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  protected keep(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
      this.round = null
    }
  }
}

/**
 * Returns the body of an answer that is no refusal.
 *
 * @throws Error with the refusal
 */
function accepted<Body>(path: string, { status, body }: Answer<Body>): Body {
  if (status < 300) return body
  throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`)
}
