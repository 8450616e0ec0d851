import { type Answer, Client, type ClientRequest } from '../../tests/support/client.ts'

/** A browser at an address of its own, which a trusted proxy passes on. */
export class Visitor extends Client {
  readonly address: string

  constructor(url: string, address: string) {
    super(url)
    this.address = address
  }

  override send<Body>(path: string, request: ClientRequest = {}): Promise<Answer<Body>> {
    const headers = { 'x-forwarded-for': this.address, ...request.headers }
    return super.send<Body>(path, { ...request, headers })
  }
}
