import { Errors, type XSchema } from 'typebox/schema'
import type { Answer } from '../../support/client.ts'

/** A schema as far as requests are made from it; the rest of it is only ever checked. */
export interface BodySchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly required?: readonly string[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
}

interface Content {
  readonly [type: string]: { readonly schema: XSchema }
}

interface Described {
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: BodySchema } } }
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content?: Content }
  }
}

/** One operation of the OpenAPI document that the server publishes. */
export class Operation {
  readonly method: string
  readonly path: string
  /** Null where a body is not asked for. */
  readonly body: BodySchema | null
  readonly #described: Described

  constructor(method: string, path: string, described: Described) {
    this.method = method.toUpperCase()
    this.path = path
    this.body = described.requestBody?.content['application/json']?.schema ?? null
    this.#described = described
  }

  /** What of an answer the document does not allow, in words. */
  objections({ status, body, headers }: Answer<unknown>): string[] {
    if (status >= 500) return [`a failure of the server: ${status} ${JSON.stringify(body)}`]
    const described = this.#described.responses[status]
    if (!described) return [`an undocumented status: ${status} ${JSON.stringify(body)}`]
    if (headers.get('x-content-type-options') !== 'nosniff') return ['without the headers of every answer']
    if (status === 204) return body === null ? [] : ['a body where there is none']
    const [type = ''] = headers.get('content-type')?.split(';') ?? []
    const schema = described.content?.[type]?.schema
    if (!schema) return [`an undocumented type for ${status}: ${type}`]
    const [, errors] = Errors(schema, body)
    const wrong = errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
    return status < 400
      ? wrong
      : [...wrong, ...this.#objectionsToProblem(status, body, described.description)]
  }

  /** A problem repeats its status, and its code is one that the document names for it. */
  #objectionsToProblem(status: number, body: unknown, codes: string): string[] {
    const problem = body as { status: number; code: string }
    if (problem.status !== status) return [`a problem of another status: ${problem.status}`]
    return codes.split(', ').includes(problem.code)
      ? []
      : [`an undocumented code for ${status}: ${problem.code}`]
  }
}

/** Reads the document of a server. */
export async function readOperations(url: string): Promise<Operation[]> {
  const answer = await fetch(`${url}/api/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Described>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => new Operation(method, path, described)),
  )
}
