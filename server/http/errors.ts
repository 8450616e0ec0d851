import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { type Outage, OutageError } from '../database/outage.ts'
import { QueueFullError } from '../lib/batch.ts'
import { Problem } from '../problem.ts'
import { SAFE_HEADERS } from './headers.ts'

const RETRY_S = 1

/** Problem codes of Fastify's own refusals, by status; for any other status the code is `invalid_request`. */
const CODES: Readonly<Record<number, ProblemCode>> = {
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media_type',
}

/** Creates the handler of all errors. Answers an outage with 503. */
export function errorHandler(outage: Pick<Outage, 'includes'>) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    answerError(error, request, reply, !isOwn(error) && outage.includes(error))
  }
}

/** Returns whether the game or Fastify made the error; Fastify's have a status, and sometimes a similar code. */
function isOwn(error: FastifyError | Error): boolean {
  return error instanceof Problem || ('statusCode' in error && error.statusCode !== undefined)
}

/** Answers every error as problem+json. Logs server errors, whose answers contain an ID but no details. */
export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  isOutage = false,
): void {
  const problem = isOutage ? new Problem('unavailable', { retryAfter: RETRY_S }) : toProblem(error)
  const { code, status, message: title } = problem
  const { round, retryAfter, isUnlogged } = problem.details
  const body: ProblemBody = { status, code, title }
  if (round) body.round = round
  if (status >= 500) body.id = request.id
  if (status >= 500 && !isUnlogged) logFailure(isOutage ? new OutageError(error) : error, code, request)
  if (retryAfter) reply.header('retry-after', retryAfter)
  reply.code(status).type('application/problem+json').send(body)
}

function logFailure(error: Error, code: ProblemCode, { log, id, url }: FastifyRequest): void {
  if (code === 'internal') return void log.error({ err: error, id, url }, 'a request failed')
  const err = error instanceof Problem ? (error.cause ?? error) : error
  log.warn({ err, id }, 'a request could not be served')
}

function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (error instanceof QueueFullError)
    return new Problem('unavailable', { retryAfter: RETRY_S, isUnlogged: true })
  if (!status || status >= 500) return new Problem('internal')
  if ('validation' in error && error.validation) {
    return new Problem('invalid_request', { title: `${PROBLEMS.invalid_request.title}: ${error.message}` })
  }
  return new Problem(CODES[status] ?? 'invalid_request')
}

/** Problem codes of Node's errors about requests that cannot be read. */
const UNREADABLE: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers an unreadable request with a problem, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { status, headers, content } = problemAnswer(UNREADABLE[error.code ?? ''] ?? 'invalid_request')
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
