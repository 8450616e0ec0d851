import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { SAFE_HEADERS } from './headers.ts'
import { isAnswering } from './pipelining.ts'

/** Node's error codes for what is not a request; any other is `invalid_request`. */
const CODES: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
}

/** Answers bytes that are not a request with a problem, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (isAnswering(socket) || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  socket.end(answerOf(CODES[error.code ?? ''] ?? 'invalid_request'), () => socket.destroy())
}

function answerOf(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code]
  const body: ProblemBody = { status, code, title }
  const content = JSON.stringify(body)
  const headers = {
    ...SAFE_HEADERS,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(content),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${content}`
}
