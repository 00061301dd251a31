import type { OperationObject, Schema } from './request-arbitrary.js'

/** Ways to make a request as dear as its limits allow. */
export const WORST = ['long texts', 'long identifiers', 'deep tokens', 'wide', 'deep'] as const
export type Worst = (typeof WORST)[number]

/** As many bytes as the server takes by default. */
const MOST_BYTES = 1_000_000
/** Items and members where nothing says how many there may be. */
const MANY = 5000

const DEEP_JSON = '['.repeat(200_000) + ']'.repeat(200_000)
const encoded = (text: string) => Buffer.from(text).toString('base64url')
const TEXTS: Record<Worst, string> = {
  'long texts': 'a'.repeat(500_000),
  'long identifiers': `did:key:z${'1'.repeat(2000)}`,
  'deep tokens': `${encoded('{"alg":"EdDSA"}')}.${encoded(`{"vc":${DEEP_JSON}}`)}.${'a'.repeat(86)}`,
  wide: 'a',
  deep: 'a',
}

/** A request for an operation that asks for as much work as its description lets anybody ask for. */
export class WorstRequest {
  private left = MOST_BYTES

  /**
   * @param known - what belongs to the caller, by the names of fields: what is refused at the first look costs nothing
   */
  constructor(
    private readonly worst: Worst,
    private readonly schemas: Readonly<Record<string, Schema>>,
    private readonly known: Readonly<Record<string, unknown>>,
  ) {}

  of({ parameters = [], requestBody }: OperationObject) {
    const values = (place: 'path' | 'query') =>
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [name, String(this.value(schema, name, 0)).slice(0, 4000)]),
      )
    const described = requestBody?.content['application/json']?.schema
    return { path: values('path'), query: values('query'), body: described && this.value(described, '', 0) }
  }

  private value(given: Schema, name: string, depth: number): unknown {
    if (name in this.known) return this.known[name]
    const schema = this.resolved(given)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
    if (type === 'boolean') return true
    if (type === 'number' || type === 'integer') return Math.min(schema.maximum ?? 1e9, 1e9)
    if (type === 'array') return this.list(schema, name, depth)
    if (type === 'string') return this.text(schema)
    return this.object(schema, depth)
  }

  private resolved(schema: Schema): Schema {
    const { $ref, anyOf, oneOf, allOf } = schema
    if ($ref) return this.resolved(this.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})
    if (allOf) return Object.assign({}, schema, ...allOf.map((part) => this.resolved(part))) as Schema
    const choices = (anyOf ?? oneOf ?? []).map((choice) => this.resolved(choice))
    const wanted = this.worst === 'wide' ? 'array' : this.worst === 'deep' ? 'object' : 'string'
    return choices.find(({ type }) => type === wanted) ?? choices[0] ?? schema
  }

  private text({ maxLength }: Schema): string {
    const text = TEXTS[this.worst].slice(0, Math.max(1, Math.min(maxLength ?? Infinity, this.left)))
    this.left -= text.length
    return text
  }

  private list({ items = {}, maxItems = MANY }: Schema, name: string, depth: number): unknown[] {
    const made: unknown[] = []
    const most = this.worst === 'wide' ? maxItems : Math.min(maxItems, 3)
    while (made.length < most && this.left > 0) {
      const item = this.value(items, `${name}[]`, depth + 1)
      this.left -= 4
      made.push(typeof item === 'string' && this.worst === 'wide' ? `${item}${made.length}` : item)
    }
    return made
  }

  private object({ properties, additionalProperties }: Schema, depth: number): unknown {
    if (properties) {
      return Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [
          name,
          depth > 8 ? 'a' : this.value(schema, name, depth + 1),
        ]),
      )
    }
    if (additionalProperties === false) return {}
    if (this.worst === 'deep') return JSON.parse('{"a":'.repeat(28) + '1' + '}'.repeat(28)) as object
    if (this.worst === 'wide') {
      this.left -= MANY * 12
      return Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`member ${n}`, n]))
    }
    return { text: this.text({}) }
  }
}
