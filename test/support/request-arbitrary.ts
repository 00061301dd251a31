import fc from 'fast-check'

/** A part of an API document that describes a value. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  example?: unknown
  examples?: unknown[]
}

interface Parameter {
  in: 'query' | 'path'
  name: string
  required?: boolean
  schema: Schema
}

export interface OperationObject {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface GeneratedRequest {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  encoding: 'json' | 'form'
}

/** What tends to break those who read it. */
const HOSTILE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    true,
    [],
    {},
    [[]],
    [null],
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '${7*7}',
    '%00%ff',
    'did:',
    'did:cheqd:testnet:',
    'did:web:localhost%3A1',
    'a'.repeat(5000),
    'eyJhbGciOiJub25lIn0.e30.',
    { __proto__: null, toString: 'x' },
    { length: -1 },
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

/**
 * Requests for an operation, made of its description: as it says, nearly so, and with what nobody asked for.
 *
 * @param known - values that mean something to the service, by the names of fields
 */
export function requestArbitrary(
  operation: OperationObject,
  schemas: Readonly<Record<string, Schema>>,
  known: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<GeneratedRequest> {
  const valueOf = (schema: Schema, name: string) => valueArbitrary(schema, name, schemas, known)
  const { parameters = [], requestBody } = operation
  const of = (place: 'query' | 'path') =>
    fieldsArbitrary(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, required = place === 'path' }) => ({
          name,
          required,
          value: valueOf(schema, name),
        })),
      place === 'query',
    )
  const described = requestBody?.content['application/json']?.schema
  const body = described
    ? fc.oneof({ weight: 6, arbitrary: valueOf(described, '') }, HOSTILE)
    : fc.constant({})
  return fc.record({ path: of('path'), query: of('query'), body, encoding: fc.constantFrom('json', 'form') })
}

interface Field {
  name: string
  required: boolean
  value: fc.Arbitrary<unknown>
}

/** Fields as they should be; some left out, some hostile, now and then one that nobody knows. */
function fieldsArbitrary(fields: readonly Field[], mayMiss = true): fc.Arbitrary<Record<string, unknown>> {
  const entries = fields.map(({ name, required, value }) => {
    const sent = fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: HOSTILE })
    const missing = fc.constant(undefined)
    const entry = mayMiss
      ? fc.oneof({ weight: required ? 20 : 2, arbitrary: sent }, { weight: 1, arbitrary: missing })
      : sent
    return entry.map((given): [string, unknown] => [name, given])
  })
  const surplus = fc.oneof(
    { weight: 15, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('unknown', 'constructor', 'toString', 'Did'), HOSTILE)
        .map((one) => [one]),
    },
  )
  return fc
    .tuple(fc.tuple(...entries), mayMiss ? surplus : fc.constant([]))
    .map(([given, more]) =>
      Object.fromEntries(
        [...given, ...(more as [string, unknown][])].filter(([, value]) => value !== undefined),
      ),
    )
}

function valueArbitrary(
  schema: Schema,
  name: string,
  schemas: Readonly<Record<string, Schema>>,
  known: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<unknown> {
  const nested = (inner: Schema, innerName = name) => valueArbitrary(inner, innerName, schemas, known)
  if (schema.$ref !== undefined) return nested(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const asDescribed = describedArbitrary(schema, nested)
  const meaningful = known[name]
  return meaningful
    ? fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...meaningful) },
        { weight: 1, arbitrary: asDescribed },
      )
    : asDescribed
}

function describedArbitrary(
  schema: Schema,
  nested: (inner: Schema, name?: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { enum: values, anyOf, oneOf, items, minItems = 0, properties = {}, required = [] } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (values) return fc.constantFrom(...values)
  const alternatives = anyOf ?? oneOf
  if (alternatives) return fc.oneof(...alternatives.map((one) => nested(one)))
  switch ([schema.type].flat()[0]) {
    case 'object':
      return fieldsArbitrary(
        Object.entries(properties).map(([field, inner]) => ({
          name: field,
          required: required.includes(field),
          value: nested(inner, field),
        })),
      )
    case 'array':
      return fc.array(nested(items ?? {}), { minLength: minItems, maxLength: Math.max(minItems, 4) })
    case 'integer':
    case 'number':
      return numberArbitrary(schema)
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textArbitrary(schema)
    case undefined:
    default:
      return HOSTILE
  }
}

/** Near its limits as well as far from them. */
function numberArbitrary({ minimum = -1000, maximum = 2 ** 40 }: Schema): fc.Arbitrary<number> {
  const whole = (value: number) => Math.trunc(Math.max(-(2 ** 52), Math.min(2 ** 52, value)))
  const [least, most] = [whole(minimum), whole(maximum)]
  return fc.oneof(
    fc.integer({ min: Math.max(least, -(2 ** 31)), max: Math.min(most, Math.max(least, 0) + 200) }),
    fc.constantFrom(least, most, least - 1, most + 1),
  )
}

function textArbitrary(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 200, pattern, format, example } = schema
  const free = fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, 40)) })
  const examples = [example, ...(schema.examples ?? [])].filter(
    (one): one is string => typeof one === 'string',
  )
  const shown = examples.length > 0 ? [fc.constantFrom(...examples)] : []
  if (format === 'date-time' || format === 'date')
    return fc.oneof(
      fc.constantFrom('2099-01-01T00:00:00Z', '2001-02-03', '2099-02-30T00:00:00Z', 'soon'),
      free,
    )
  const matching = pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern), { size: 'small' })]
  return fc.oneof(...shown, ...matching, free)
}
