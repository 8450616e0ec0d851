import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { SAFE_HEADERS } from './headers.ts'

const CODES: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
}

/** Answers an unreadable request with a problem, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { status, headers, content } = problemAnswer(CODES[error.code ?? ''] ?? 'invalid_request')
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${content}`, () =>
    socket.destroy(),
  )
}

/** Builds the problem for a request that never reaches the framework. */
export function problemAnswer(code: ProblemCode) {
  const { status, title } = PROBLEMS[code]
  const body: ProblemBody = { status, code, title }
  const content = JSON.stringify(body)
  const headers = {
    ...SAFE_HEADERS,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(content),
  }
  return { status, headers, content }
}
