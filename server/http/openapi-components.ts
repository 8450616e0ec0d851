import { isDeepStrictEqual } from 'node:util'

interface TitledSchema {
  readonly title: string
  readonly type: string | readonly [string, 'null']
  readonly enum?: readonly unknown[]
}

/**
 * Moves each schema with a title into the components, and refers to it. Code generators name classes after
 * components, and understand null only next to a reference. Routes keep their schemas, because serialising
 * `anyOf` is slow.
 *
 * @throws {Error} when two different schemas have the same title
 */
export function nameSchemas<Document extends { readonly components?: object }>(document: Document): Document {
  const schemas: Record<string, object> = {}

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]))
    return isTitled(copy) ? refer(copy) : copy
  }

  function refer(schema: TitledSchema): object {
    const { title } = schema
    const named = withoutNull(schema)
    schemas[title] ??= named
    if (!isDeepStrictEqual(schemas[title], named)) throw new Error(`two schemas have the title ${title}`)
    const reference = { $ref: `#/components/schemas/${title}` }
    return typeof schema.type === 'string' ? reference : { anyOf: [reference, { type: 'null' }] }
  }

  const named = visit(document) as Document
  return { ...named, components: { ...named.components, schemas } }
}

/** Excludes the document's own title, which has no type. */
function isTitled(node: object): node is TitledSchema {
  return 'title' in node && typeof node.title === 'string' && 'type' in node
}

function withoutNull(schema: TitledSchema): object {
  const { type, enum: values } = schema
  const [first] = typeof type === 'string' ? [type] : type
  return { ...schema, type: first, ...(values && { enum: values.filter(value => value !== null) }) }
}
