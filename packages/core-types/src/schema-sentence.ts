/** The part of a zod issue needed for its message; keeps this package free of dependencies. */
export interface RawSchemaIssue {
  code?: string | undefined
  input?: unknown
  /** of `invalid_type`: a name of zod's */
  expected?: string
  /** of `invalid_value` */
  values?: readonly unknown[]
  /** of `too_small` and `too_big`: the kind of the limited value */
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  divisor?: number
  /** of `unrecognized_keys` */
  keys?: readonly string[]
  /** of `unrecognized_keys`: the schema, which has the allowed ones */
  inst?: unknown
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * The messages for the findings of a schema without its own; they never repeat the value, which may be a secret. zod
 * takes it as `error` of `safeParse`.
 */
export function schemaSentence(issue: RawSchemaIssue): string {
  const { code } = issue
  if (code === 'invalid_type' || code === 'invalid_value') {
    return issue.input === undefined ? 'is required' : `must be ${expected(issue)}`
  }
  if (code === 'too_small') return `must ${bound(issue.origin, 'at least', issue.minimum)}`
  if (code === 'too_big') return `must ${bound(issue.origin, 'at most', issue.maximum)}`
  if (code === 'invalid_union')
    return issue.input === undefined ? 'is required' : 'does not match any allowed form'
  if (code === 'invalid_format') return 'has an invalid format'
  if (code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`
  if (code === 'invalid_key' || code === 'invalid_element') return 'has a disallowed member'
  return code === 'unrecognized_keys' ? 'has unknown fields' : 'is not allowed'
}

function expected({ code, expected: type = '', values = [] }: RawSchemaIssue): string {
  if (code === 'invalid_type') return TYPE_NAMES[type] ?? type
  const named = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length > 1 ? `one of ${named}` : named
}

function bound(origin: string | undefined, side: string, limit: number | bigint | undefined): string {
  if (side === 'at least' && Number(limit) === 1) {
    if (origin === 'string') return 'be a non-empty string'
    if (origin === 'array') return 'have at least one entry'
  }
  if (origin === 'string') return `have ${side} ${limit} ${Number(limit) === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${side} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
  return `be ${side} ${limit}`
}
