/** A JSON Schema as the API document has it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  example?: unknown
  examples?: unknown[]
  pattern?: string
  format?: string
  maxLength?: number
  'x-maxBytes'?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  minItems?: number
}

export interface DocumentedOperation {
  operationId: string
  'x-scopes'?: readonly string[]
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>
  }
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas?: Record<string, Schema> }
}

/** A field, and what the document says of it: `service`, 0, `type`. */
export interface LimitedField {
  path: (string | number)[]
  schema: Schema
}

/** Values on both sides of a limit. */
export interface Edge {
  what: string
  fits: unknown
  over: unknown
}

export class DocumentedLimits {
  constructor(
    private readonly document: ApiDocument,
    /** a value of the field, where another would be refused for another reason than its length */
    private readonly known: (name: string) => unknown,
  ) {}

  resolved(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : { ...this.document.components.schemas?.[name], ...schema }
  }

  /** Every field below a schema that has a limit. */
  *fieldsOf(schema: Schema, path: (string | number)[] = []): Generator<LimitedField> {
    const { anyOf = [], oneOf = [], properties = {}, items, ...own } = this.resolved(schema)
    const isLimited = ['maxLength', 'maximum', 'maxItems'].some((keyword) => keyword in own)
    if (isLimited && path.length > 0) yield { path, schema: { ...own, ...(items && { items }) } }
    for (const branch of [...anyOf, ...oneOf]) yield* this.fieldsOf(branch, path)
    for (const [name, field] of Object.entries(properties)) yield* this.fieldsOf(field, [...path, name])
    if (items) yield* this.fieldsOf(items, [...path, 0])
  }

  *edgesOf({ path, schema }: LimitedField): Generator<Edge> {
    const { maxLength, maximum, maxItems, minimum, items } = schema
    if (maxLength !== undefined) yield* this.textEdges(path, schema, maxLength)
    if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
      yield { what: `at most ${maximum}`, fits: maximum, over: maximum + 1 }
    if (maximum !== undefined && minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER)
      yield { what: `at least ${minimum}`, fits: minimum, over: minimum - 1 }
    if (maxItems !== undefined && maxItems > 0) {
      const entries = (n: number) =>
        Array.from({ length: n }, (_, at) => this.sampleOf(items ?? {}, [...path, at]))
      yield { what: `at most ${maxItems} entries`, fits: entries(maxItems), over: entries(maxItems + 1) }
    }
  }

  private *textEdges(path: (string | number)[], schema: Schema, most: number): Generator<Edge> {
    const beginning = textBeginning(path, schema)
    if (beginning !== undefined) {
      const text = (length: number) => beginning + 'a'.repeat(length - beginning.length)
      yield { what: `at most ${most} characters`, fits: text(most), over: text(most + 1) }
    }
    if (beginning !== '') return
    const bytes = schema['x-maxBytes']
    const wide = (count: number) => '\u{1f600}'.repeat(count)
    if (bytes === undefined) {
      yield { what: `at most ${most} characters beyond ASCII`, fits: wide(most), over: wide(most + 1) }
    } else {
      const [fits, over] = [wide(Math.floor(bytes / 4)), wide(Math.floor(bytes / 4) + 1)]
      yield { what: `at most ${bytes} bytes`, fits, over }
    }
  }

  /** Something that the schema takes. */
  sampleOf(schema: Schema, path: readonly (string | number)[]): unknown {
    const { anyOf, oneOf, ...own } = this.resolved(schema)
    const [first] = [...(anyOf ?? []), ...(oneOf ?? [])]
    if (first) return this.sampleOf(first, path)
    const name = [...path].reverse().find((step) => typeof step === 'string')
    const known = name === undefined ? undefined : this.known(String(name))
    if (known !== undefined && typeof known !== 'object') return known
    if (own.const !== undefined) return own.const
    if (own.enum) return own.enum[0]
    if (own.examples) return own.examples[0]
    const type = [own.type].flat()[0]
    if (type === 'integer' || type === 'number') return own.minimum ?? 1
    if (type === 'array') return [this.sampleOf(own.items ?? {}, [...path, 0])]
    if (type === 'object' || own.properties) {
      const needed = own.required ?? []
      return Object.fromEntries(
        needed.map((field) => [field, this.sampleOf(own.properties?.[field] ?? {}, [...path, field])]),
      )
    }
    return own.example ?? `x${path.filter((step) => typeof step === 'number').join('-')}`
  }

  /** A body with this value at this place. */
  withValue(body: unknown, root: Schema, path: readonly (string | number)[], value: unknown): unknown {
    const copy = structuredClone(body) as Record<string | number, unknown>
    let [at, schema] = [copy, this.resolved(root)]
    path.forEach((step, n) => {
      const below = this.below(schema, step)
      if (n === path.length - 1) at[step] = value
      else {
        if (typeof at[step] !== 'object' || at[step] === null) {
          const sample = this.sampleOf(below, path.slice(0, n + 1))
          at[step] =
            typeof sample === 'object' && sample !== null ? sample : typeof path[n + 1] === 'number' ? [] : {}
        }
        if (typeof path[n + 1] === 'number' && !Array.isArray(at[step])) at[step] = []
        at = at[step] as Record<string | number, unknown>
      }
      schema = below
    })
    return copy
  }

  private below(schema: Schema, step: string | number): Schema {
    const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((one) =>
      this.resolved(one),
    )
    const found = branches
      .map((one) => (typeof step === 'number' ? one.items : one.properties?.[step]))
      .find((one) => one !== undefined)
    return this.resolved(found ?? {})
  }
}

/** What a text begins with that the field takes; '' for any text, `undefined` where no length is free. */
function textBeginning(path: readonly (string | number)[], { pattern, format, enum: values }: Schema) {
  if (values ?? format) return undefined
  if (pattern === undefined) return path.at(-1) === 'url' ? 'https://receiver.example/' : ''
  if (pattern.startsWith('^did:')) return 'did:cheqd:testnet:'
  if (pattern.includes('[0-9a-fA-F]')) return 'aa'
  return undefined
}
