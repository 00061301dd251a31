/** A schema of the API document, as far as a form looks at it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  description?: string
  default?: unknown
  examples?: unknown[]
  example?: unknown
  required?: string[]
  deprecated?: boolean
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema?: Schema
}

export interface OperationObject {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  security?: unknown[]
  /** of an API key: any of them lets in */
  'x-scopes'?: string[]
  parameters?: Parameter[]
  requestBody?: {
    content: Record<
      string,
      { schema?: Schema; examples?: Record<string, { summary?: string; value: unknown }> }
    >
  }
}

export interface ApiDocument {
  info: { version: string; 'x-software-version'?: string }
  paths: Record<string, Record<string, OperationObject>>
  tags?: { name: string; description?: string }[]
  components?: { schemas?: Record<string, Schema> }
}

/** One field of a form. */
export interface Field {
  name: string
  place: 'path' | 'query' | 'header' | 'body'
  kind: 'text' | 'secret' | 'number' | 'choice' | 'json'
  required: boolean
  description: string
  choices: string[]
  /** the value of an example or a default */
  hint: string
}

export interface Operation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  paragraphs: string[]
  /** without an API key */
  open: boolean
  fields: Field[]
  examples: { summary: string; values: Record<string, string> }[]
}

/** Every operation of the API document, as forms show it. */
export function readOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(document, path, method, operation)),
  )
}

function toOperation(
  document: ApiDocument,
  path: string,
  method: string,
  operation: OperationObject,
): Operation {
  const {
    operationId,
    tags = [],
    summary = operationId,
    description = '',
    security,
    parameters = [],
  } = operation
  const json = operation.requestBody?.content['application/json']
  const schema = resolved(document, json?.schema)
  const body = Object.entries(schema?.properties ?? {})
    .filter(([, member]) => member.deprecated !== true)
    .map(([name, member]) => field(document, name, 'body', member, schema?.required?.includes(name) ?? false))
  const inPlace = (places: Field['place'][]) =>
    parameters.map((one) => parameterField(document, one)).filter(({ place }) => places.includes(place))
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    summary,
    paragraphs: description.split(/\n{2,}/).map((text) => text.replaceAll('\n', ' ')),
    open: security?.length === 0,
    fields: [...inPlace(['path', 'query']), ...body, ...inPlace(['header'])],
    examples: Object.values(json?.examples ?? {}).map(({ summary: title = 'Example', value }) => ({
      summary: title,
      values: valuesOfExample(value),
    })),
  }
}

function parameterField(document: ApiDocument, parameter: Parameter): Field {
  const { name, schema = {}, required = false, description, example } = parameter
  const place = parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query'
  const merged = { ...schema, ...(description && { description }), ...(example !== undefined && { example }) }
  const made = field(document, name, place, merged, required)
  // A list in an address is written with commas.
  return made.kind === 'json' ? { ...made, kind: 'text', hint: made.hint.replace(/^\["?|"?\]$/g, '') } : made
}

function field(
  document: ApiDocument,
  name: string,
  place: Field['place'],
  unresolved: Schema,
  required: boolean,
): Field {
  const schema = { ...resolved(document, unresolved), ...unresolved }
  const kind = fieldKind(schema)
  const hint = schema.example ?? schema.examples?.[0] ?? schema.default
  return {
    name,
    place,
    kind,
    required,
    description: schema.description ?? '',
    choices: kind === 'choice' ? (schema.enum ?? [true, false]).map(String) : [],
    hint: hint === undefined ? '' : exampleText(hint),
  }
}

function fieldKind({ type, enum: values, format, properties, items, anyOf }: Schema): Field['kind'] {
  if (values || type === 'boolean') return 'choice'
  if (format === 'password') return 'secret'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' && !properties && !items && !anyOf) return 'text'
  return 'json'
}

function resolved(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : document.components?.schemas?.[name]
}

const valuesOfExample = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exampleText(member)]))
    : {}

/** Short values stay on one line. */
function exampleText(value: unknown): string {
  if (typeof value === 'string') return value
  const line = JSON.stringify(value)
  return line.length > 60 ? JSON.stringify(value, null, 2) : line
}
