import { isDeepStrictEqual } from 'node:util'

/** A JSON Schema, as plugins give it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What the schema of an agent says of one of its methods. */
export interface MethodSchema {
  description?: string
  arguments?: JsonSchema
  returnType?: JsonSchema
}

/** Everything that the plugins of an agent say of their methods and types. */
export interface AgentSchema {
  components: {
    schemas: Readonly<Record<string, JsonSchema>>
    methods: Readonly<Record<string, MethodSchema>>
  }
}

const REFERENCE = '#/components/schemas/'

/**
 * What the plugins say, without what no value could be: `string[] & {}` of TypeScript, which is all lists in DID documents of
 * Veramo, becomes a list that is an object as well.
 */
export const satisfiable = (schema: AgentSchema): AgentSchema => withoutEmptyTypes(schema) as AgentSchema

function withoutEmptyTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyTypes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      withoutEmptyTypes(
        key === 'allOf' && Array.isArray(member) ? member.filter((one) => !isEmptyType(one)) : member,
      ),
    ]),
  )
}

/** `{}` of TypeScript. */
const isEmptyType = (schema: unknown): boolean =>
  isDeepStrictEqual(schema, { type: 'object', properties: {} })

/** Takes any object, and describes nothing: for methods of plugins without a schema. */
export const OPEN_SCHEMA: JsonSchema = { type: 'object' }

/** What is known of a method; own members alone, so that no name reaches into a prototype. */
export const methodSchema = ({ components }: AgentSchema, method: string): MethodSchema =>
  Object.hasOwn(components.methods, method) ? (components.methods[method] ?? {}) : {}

/** The types that schemas refer to, directly and through others. */
export function referredTypes(
  { components }: AgentSchema,
  schemas: readonly (JsonSchema | undefined)[],
): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  const open = schemas.flatMap((schema) => referencesIn(schema))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (Object.hasOwn(found, name)) continue
    const schema = Object.hasOwn(components.schemas, name) ? components.schemas[name] : undefined
    // A type that no plugin describes may be anything; the document must not break for it.
    found[name] = schema ?? {}
    open.push(...referencesIn(schema))
  }
  return found
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' && member.startsWith(REFERENCE)
      ? [decodeURIComponent(member.slice(REFERENCE.length))]
      : referencesIn(member),
  )
}

/** The same schema with its types inside of it, as a validator wants them. */
export function selfContained(schema: JsonSchema, agent: AgentSchema): JsonSchema {
  const definitions = referredTypes(agent, [schema])
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === '$ref' && typeof member === 'string'
          ? member.replace(REFERENCE, '#/definitions/')
          : within(member),
      ]),
    )
  }
  return { ...(within(schema) as JsonSchema), definitions: within(definitions) }
}
