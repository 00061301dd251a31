import { isDeepStrictEqual } from 'node:util'

/** A JSON Schema from a plugin. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An agent schema's description of one method. */
export interface MethodSchema {
  description?: string
  arguments?: JsonSchema
  returnType?: JsonSchema
}

/** The schemas of all methods and types of an agent's plugins. */
export interface AgentSchema {
  components: {
    schemas: Readonly<Record<string, JsonSchema>>
    methods: Readonly<Record<string, MethodSchema>>
  }
}

const REFERENCE = '#/components/schemas/'

/**
 * The plugin schemas without unsatisfiable parts: `string[] & {}` of TypeScript, used for all lists in Veramo's DID
 * documents, becomes a list that is an object as well.
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

/** Accepts any object without a description: for methods of plugins without a schema. */
export const OPEN_SCHEMA: JsonSchema = { type: 'object' }

/** The schema of a method; own members only, so that no name reaches into a prototype. */
export const methodSchema = ({ components }: AgentSchema, method: string): MethodSchema =>
  Object.hasOwn(components.methods, method) ? (components.methods[method] ?? {}) : {}

/** The types that schemas refer to, directly and indirectly. */
export function referredTypes(
  { components }: AgentSchema,
  schemas: readonly (JsonSchema | undefined)[],
): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  const open = schemas.flatMap((schema) => referencesIn(schema))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (Object.hasOwn(found, name)) continue
    const schema = Object.hasOwn(components.schemas, name) ? components.schemas[name] : undefined
    // An undescribed type may be anything; it must not break the document.
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

/** The same schema with its types inlined, as validators need it. */
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
