import type { Operation } from '@vidimus/remote-server/operations'
import { fieldKind } from '@vidimus/remote-server/operations'
import { z } from 'zod'

/** A field of a request that an option can give. */
export interface RequestField {
  /** as the API has it */
  name: string
  /** of the option, without dashes */
  option: string
  place: 'query' | 'body'
  kind: 'text' | 'boolean' | 'list' | 'object'
  description: string
  isRequired: boolean
}

/** Options of every remote command. */
export const RESERVED: readonly string[] = [
  'url',
  'api-key',
  'allow-http',
  'json',
  'body',
  'file',
  'idempotency-key',
  'help',
  'version',
]

/** The fields of an operation, those of the query first; private keys are none, as others see the arguments of commands. */
export function requestFields(operation: Operation, noun: string): RequestField[] {
  const { query, body } = operation
  const places = [
    ['query', query?.shape],
    ['body', body?.shape],
  ] as const
  const fields = places.flatMap(([place, shape]) =>
    Object.entries(shape ?? {})
      .filter(([name]) => /^\w+$/.test(name))
      .map(([name, schema]) => requestField(name, schema as z.ZodType, place, noun)),
  )
  const seen = new Set<string>()
  return fields.filter((field): field is RequestField => {
    if (!field || seen.has(field.name)) return false
    seen.add(field.name)
    return true
  })
}

function requestField(
  name: string,
  schema: z.ZodType,
  place: 'query' | 'body',
  noun: string,
): RequestField | undefined {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
  if (JSON.stringify(described).includes('"format":"password"')) return undefined
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const option = RESERVED.includes(kebab) ? `${noun}-${kebab}` : kebab
  const { kind } = fieldKind(schema)
  return {
    name,
    option,
    place,
    kind:
      kind === 'boolean' || kind === 'list' ? kind : kind === 'object' || kind === 'free' ? 'object' : 'text',
    description: descriptionIn(described),
    isRequired: !schema.safeParse(undefined).success,
  }
}

interface Described {
  description?: string
  enum?: readonly unknown[]
  default?: unknown
  anyOf?: readonly Described[]
}

function descriptionIn({ description, anyOf = [], enum: values, default: standard }: Described): string {
  const text = description ?? anyOf.find((one) => one.description !== undefined)?.description ?? ''
  const choices = values && values.length > 0 && values.length <= 10 ? `one of ${values.join(', ')}` : ''
  const usual = typeof standard === 'string' ? `default: ${standard}` : ''
  return [text.replaceAll('`', ''), choices, usual].filter((part) => part !== '').join('; ')
}
