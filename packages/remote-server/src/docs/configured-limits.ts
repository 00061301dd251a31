import { methodSchema, type AgentSchema, type JsonSchema } from '../rpc/method-schemas.js'

type Keyword = 'minimum' | 'maximum' | 'maxItems'

/** A limit configured at a plugin, which declares it in the schema of its method. */
interface ConfiguredLimit {
  operations: readonly string[]
  /** in the body */
  field: readonly string[]
  keyword: Keyword
  method: string
  /** in the schema of the method arguments */
  place: readonly string[]
}

const services = (...field: string[]): ConfiguredLimit => ({
  operations: ['did-create', 'registrar-create', 'did-update'],
  field,
  keyword: 'maxItems',
  method: 'didManagerCreate',
  place: ['x-maxServices'],
})

const lengthOfList = (keyword: Keyword): ConfiguredLimit => ({
  operations: ['create-status-list', 'create-encrypted-status-list'],
  field: ['length'],
  keyword,
  method: 'statusListCreate',
  place: ['properties', 'length', keyword],
})

const credentials = (operation: string, ...field: string[]): ConfiguredLimit => ({
  operations: [operation],
  field,
  keyword: 'maxItems',
  method: 'presentationCreate',
  place: ['properties', 'credentials', 'maxItems'],
})

const LIMITS: readonly ConfiguredLimit[] = [
  lengthOfList('minimum'),
  lengthOfList('maximum'),
  {
    operations: ['update-status-list', 'update-encrypted-status-list'],
    field: ['indices'],
    keyword: 'maxItems',
    method: 'statusListUpdate',
    place: ['properties', 'indices', 'maxItems'],
  },
  {
    operations: ['check-status-list'],
    field: ['indices'],
    keyword: 'maxItems',
    method: 'statusListCheck',
    place: ['properties', 'indices', 'maxItems'],
  },
  credentials('presentation-create', 'credentials'),
  credentials('vc-api-create-presentation', 'presentation', 'verifiableCredential'),
  services('service'),
  services('didDocument', 'service'),
]

type Node = Record<string, unknown>

/**
 * Replaces the maximum limits in the schema of a body by the configured ones.
 *
 * @param operation - its id
 * @param body - as the API document has it; changed
 */
export function limitAsConfigured(operation: string, body: unknown, agent: AgentSchema): void {
  for (const { operations, field, keyword, method, place } of LIMITS) {
    if (!operations.includes(operation)) continue
    const described = fieldAt(body, field)
    const limit = valueAt(argumentSchema(method, agent), place)
    if (described && typeof limit === 'number') limitField(described, keyword, limit)
  }
}

function limitField(described: Node, keyword: Keyword, limit: number): void {
  const present = described[keyword]
  const narrower = keyword === 'minimum' ? Math.max : Math.min
  described[keyword] = typeof present === 'number' ? narrower(present, limit) : limit
}

function argumentSchema(method: string, agent: AgentSchema): JsonSchema | undefined {
  const { arguments: described } = methodSchema(agent, method)
  const name = typeof described?.$ref === 'string' ? described.$ref.split('/').at(-1) : undefined
  return name === undefined ? described : agent.components.schemas[name]
}

const fieldAt = (body: unknown, field: readonly string[]): Node | undefined =>
  asNode(
    valueAt(
      body,
      field.flatMap((name) => ['properties', name]),
    ),
  )

const valueAt = (value: unknown, place: readonly string[]): unknown =>
  place.reduce<unknown>((at, name) => asNode(at)?.[name], value)

const asNode = (value: unknown): Node | undefined =>
  typeof value === 'object' && value !== null ? (value as Node) : undefined
