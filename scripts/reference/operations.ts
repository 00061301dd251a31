import { wholeDocument } from '../generated/generated-files.js'
import { code, grouped, range, table } from './markdown.js'

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

interface Described {
  summary?: string
  description?: string
  operationId?: string
  tags?: string[]
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema?: Schema } | undefined> }
  responses?: Record<
    string,
    { description?: string; content?: Record<string, { schema?: Schema }> } | undefined
  >
}

interface Document {
  paths: Record<string, Record<string, Described>>
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, Schema> }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const DEEPEST = 3

/** `docs/reference/operations.md`: what `/openapi.json` says, for reading. */
export function operationsPage(): string {
  const document = wholeDocument() as unknown as Document
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const described = item[method]
      return described ? [{ path, method: method.toUpperCase(), described }] : []
    }),
  )
  return [
    '# Operations',
    'Everything that the service answers over HTTP. The same, to try, is the page `/docs` of a running service, and for programs `/openapi.json`.',
    'Bodies are `application/json` or `application/x-www-form-urlencoded`; unknown fields are refused. Where it says no otherwise, an operation needs an API key, in `x-api-key` or as `authorization: Bearer` ([api-keys.md](../api-keys.md)). Refusals have the body and the codes of [errors.md](../errors.md). What changes something takes an [`idempotency-key`](../idempotency.md).',
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name}`,
      `${description}.`,
      ...all
        .filter(({ described }) => described.tags?.includes(name))
        .flatMap(({ path, method, described }) => section(`${method} ${path}`, described, document)),
    ]),
  ].join('\n\n')
}

function section(title: string, described: Described, document: Document): string[] {
  const { summary = '', description = '', parameters = [], requestBody, responses = {}, security } = described
  const named = parameters.filter(({ name }) => name !== 'idempotency-key')
  const body = requestBody?.content['application/json']?.schema
  const answer = responses['200']?.content?.['application/json']?.schema
  return [
    `### \`${title}\``,
    `**${summary}.**${security?.length === 0 ? ' Needs no API key.' : ''}`,
    ...(description ? [description] : []),
    ...fields(
      'Parameters',
      named.map(({ name, in: place, required, description: text, schema = {} }) => [
        `${code(name)}, ${place}`,
        typeText(schema, document),
        required ? 'yes' : '',
        text ?? schema.description ?? '',
      ]),
    ),
    ...fields('Body', body ? memberRows(body, document) : []),
    ...fields('Answer', answer ? memberRows(answer, document) : []),
    `Statuses: ${Object.keys(responses).join(', ')}.`,
  ]
}

const fields = (title: string, rows: string[][]): string[] =>
  rows.length === 0
    ? []
    : [table([title.toLowerCase(), 'value', title === 'Answer' ? 'always' : 'needed', 'meaning'], rows)]

/** A row for each field, those of objects below it with dots, those of lists with `[]`. */
function memberRows(schema: Schema, document: Document, prefix = '', depth = 0): string[][] {
  const { properties = {}, required = [] } = merged(schema, document)
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const known = merged(field, document)
    const below = known.items ? merged(known.items, document) : known
    const deeper = below.properties && depth < DEEPEST
    return [
      [
        code(path),
        typeText(field, document),
        required.includes(name) ? 'yes' : '',
        field.description ?? known.description ?? '',
      ],
      ...(deeper ? memberRows(below, document, `${path}${known.items ? '[]' : ''}.`, depth + 1) : []),
    ]
  })
}

/** References followed, and parts that all must hold put together. */
function merged(schema: Schema, document: Document): Schema {
  const found = schema.$ref
    ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
    : schema
  return (found.allOf ?? []).reduce<Schema>((all, part) => {
    const { properties, required = [], ...others } = merged(part, document)
    return {
      ...others,
      ...all,
      ...((all.properties ?? properties) && { properties: { ...all.properties, ...properties } }),
      required: [...(all.required ?? []), ...required],
    }
  }, found)
}

function typeText(schema: Schema, document: Document): string {
  const known = merged(schema, document)
  const choices = known.anyOf ?? known.oneOf
  if (choices) return [...new Set(choices.map((choice) => typeText(choice, document)))].join(' or ')
  if (known.const !== undefined) return code(JSON.stringify(known.const))
  if (known.enum) return known.enum.map((value) => code(String(value))).join(', ')
  const types = [known.type ?? []].flat().map((type) => kindOfType(type, known, document))
  return types.join(' or ')
}

function kindOfType(type: string, schema: Schema, document: Document): string {
  if (type === 'array') {
    const most = schema.maxItems === undefined ? '' : `, up to ${grouped(schema.maxItems)}`
    const each = schema.items ? typeText(schema.items, document) : ''
    return `list${each === '' || each === 'object' ? '' : ` of ${each}`}${most}`
  }
  if (type === 'integer' || type === 'number') {
    const limits = range(schema.minimum, schema.maximum)
    return limits === '' ? 'number' : limits
  }
  if (type === 'string') return schema.format === 'date-time' ? 'time' : (schema.format ?? 'text')
  return type
}
