import { z } from 'zod'
import { ErrorBody } from '../errors/error-body.js'
import { KEY_PARAMETER_OBJECT } from '../docs/idempotency-parameters.js'
import type { ServerSettings } from '../options.js'
import { packageVersion } from '../package-version.js'
import { AGENT_PATH } from './method-operations.js'
import { scopeGroups } from '../admission/scope-table.js'
import { methodChanges } from './method-list.js'
import {
  methodSchema,
  OPEN_SCHEMA,
  referredTypes,
  type AgentSchema,
  type MethodSchema,
} from './method-schemas.js'

const ERROR_TYPE = 'VidimusError'

/**
 * The document of the methods for remote agents, in the form of Veramo's own server: a path for each method, and in
 * `x-methods` the data for the `schema` of an `AgentRestClient`, together with the types.
 *
 * @param methods - the served ones
 */
export function agentDocument(
  agent: AgentSchema,
  methods: readonly string[],
  { publicUrl, idempotency }: Pick<ServerSettings, 'publicUrl' | 'idempotency'>,
): object {
  const described = methods.map((method) => [method, completed(methodSchema(agent, method))] as const)
  const used = described.flatMap(([, schema]) => [schema.arguments, schema.returnType])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vidimus agent methods',
      version: packageVersion(),
      description:
        'The methods that other Veramo agents can call here, through `AgentRestClient` of `@veramo/remote-client`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl ?? ''}${AGENT_PATH}` }],
    security: [{ auth: [] }, { apiKey: [] }],
    paths: Object.fromEntries(
      described.map(([method, schema]) => {
        const parameters = idempotency && methodChanges(method) ? [KEY_PARAMETER_OBJECT] : []
        return [`/${method}`, { post: { ...pathOperation(method, schema), parameters } }]
      }),
    ),
    components: {
      schemas: { ...wellFormed(referredTypes(agent, used)), [ERROR_TYPE]: errorSchema() },
      responses: { Error: ERROR_RESPONSE },
      securitySchemes: {
        auth: { type: 'http', scheme: 'bearer', description: 'API key of the account' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'API key of the account' },
      },
    },
    'x-methods': Object.fromEntries(described),
  }
}

const completed = ({ description, arguments: args, returnType }: MethodSchema) => ({
  description: description ?? '',
  arguments: args ?? OPEN_SCHEMA,
  returnType: returnType ?? {},
})

function pathOperation(method: string, { description, arguments: args, returnType }: Required<MethodSchema>) {
  return {
    operationId: method,
    summary: description || method,
    description,
    tags: scopeGroups(method).filter((group) => group !== 'read'),
    requestBody: { content: { 'application/json': { schema: args } } },
    responses: {
      200: {
        description: 'Result of the method',
        content: { 'application/json': { schema: returnType } },
      },
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
  }
}

const ERROR_RESPONSE = {
  description: 'The error; the remote client throws it with the sentence in `error`',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${ERROR_TYPE}` } } },
}

/** Without its name, by which the schema would refer to itself. */
function errorSchema(): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(z.object(ErrorBody.shape), { io: 'input' })
  return schema
}

/** Veramo puts the reason where OpenAPI has a flag. */
function wellFormed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      key === 'deprecated' && typeof member === 'string' ? true : wellFormed(member),
    ]),
  ) as T
}
