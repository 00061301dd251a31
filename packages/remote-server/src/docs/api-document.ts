import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { z } from 'zod'
import { MEDIA_TYPES } from '../input/content-type.js'
import type { FieldsSchema, Operation, OperationExample } from '../operation.js'
import type { ServerSettings } from '../options.js'
import { packageVersion } from '../package-version.js'
import type { AgentSchema } from '../rpc/method-schemas.js'
import { scopesOf } from '../admission/scope-table.js'
import { TABLE } from '../answers/table-answers.js'
import { APPLIED_HEADER, MINIMAL, PREFER_HEADER } from '../answers/return-preference.js'
import { ERROR_RESPONSES, malformedResponse, refusalResponse } from './error-responses.js'
import { KEY_PARAMETER, REPLAYED } from './idempotency-parameters.js'
import { limitAsConfigured } from './configured-limits.js'
import { EVENT_STREAM, LAST_EVENT_ID } from './event-stream.js'
import { IDENTIFIER_PATHS } from './identifier-paths.js'
import { PUBLIC_PATHS } from './public-paths.js'
import { PUBLISHED_LIST_PATHS } from './published-list-paths.js'

/** Of the contract of the six operations; the software version is separate. */
const CONTRACT_VERSION = '2.0.0'

const TAGS: Record<string, string> = {
  DIDs: 'Decentralized identifiers of the account',
  Registrar: 'The same DIDs in the form of the DIF Universal Registrar (DID Registration)',
  Keys: 'Key pairs held by the service',
  Resources: 'DID-Linked Resources, such as schemas',
  'Status lists': 'Credential status lists, published as DID-Linked Resources',
  Credentials: 'Verifiable credentials as JWT',
  Presentations: 'Verifiable presentations as JWT',
  'VC API': 'Credentials and presentations in the form of the W3C VC API (VCALM)',
  Resolver: 'Published DID documents and status lists, for verifiers and without an API key',
  'API keys': 'API keys of the account',
  Account: 'What the account uses of its quotas and budgets, and its audit trail',
  Events: 'Events of the account: listed, streamed, or sent to webhooks',
  Operators: 'Accounts of the service and its health, for API keys with the scope operator',
  Service: 'Endpoints that need no API key',
}

/** The OpenAPI document, derived from the objects that decode and validate. */
export function apiDocument(
  operations: readonly Operation[],
  {
    publicUrl,
    idempotency,
    servesIdentifiers,
    servesLists,
    schema,
  }: Pick<ServerSettings, 'publicUrl' | 'idempotency'> & {
    servesIdentifiers: boolean
    servesLists: boolean
    /** of the agent, for the limits set by an operator; absent: no limits */
    schema?: AgentSchema
  },
): ReturnType<typeof createDocument> {
  const used = new Set([
    ...operations.map(({ tag }) => tag),
    ...(servesIdentifiers || servesLists ? ['Resolver'] : []),
    'Service',
  ])
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Vidimus identity service',
      version: CONTRACT_VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-software-version': packageVersion(),
    },
    servers: [
      ...(publicUrl ? [{ url: publicUrl, description: 'Public address' }] : []),
      { url: '/', description: 'The server of this document' },
    ],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths: {
      ...operationPaths(operations, Boolean(idempotency)),
      ...(servesIdentifiers && IDENTIFIER_PATHS),
      ...(servesLists && PUBLISHED_LIST_PATHS),
      ...PUBLIC_PATHS,
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'API key of the account',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as a bearer token' },
      },
      responses: ERROR_RESPONSES,
    },
  })
  for (const { id, path, method } of operations) {
    const content = document.paths?.[path]?.[method]?.requestBody as { content?: object } | undefined
    for (const { schema: body } of Object.values<{ schema: unknown }>({ ...content?.content }))
      if (schema) limitAsConfigured(id, body, schema)
  }
  return document
}

const INTRODUCTION = [
  'DIDs, keys, credential status lists and presentations, with keys held by the service.',
  '',
  'Bodies are JSON or form-encoded; the registrar and the VC API take only JSON. In a form, a list may be written as a repeated name, as `name[]`, as `name[0]`, as',
  'JSON text or, for numbers and words, with commas; an object as JSON text or as `name[member]`. Unknown fields are',
  'rejected by name. Every response has `x-request-id`; every error has the same body.',
  '',
  'Send the API key as `x-api-key` or as `authorization: Bearer`. A key may be limited to scopes, which are operations',
  'or groups of them, and to networks that it may write to; anything else is a 403. Every response to such a key lists',
  'them in `x-api-key-scopes` and `x-api-key-networks`. The `ratelimit` header shows the remaining quota; too',
  'many requests get a 429 with `retry-after`.',
  '',
  'Retry safely: operations that change something take an `idempotency-key`, and a repeated request with the same',
  'key gets the original response, with `idempotency-replayed: true`. It waits while the first one is in progress; a 503',
  'with `retry-after` means that this takes too long.',
  '',
  'With `prefer: return=minimal` responses to creating and updating status lists omit `resource`, the list itself.',
].join('\n')

function operationPaths(operations: readonly Operation[], keepsAnswers: boolean): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const operation of operations) {
    const described = operationObject(operation, keepsAnswers && operation.changes)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described }
  }
  return paths
}

function operationObject(operation: Operation, takesKey: boolean): ZodOpenApiOperationObject {
  const { id, tag, summary, description, testOnly, query, params, body, response, responseExample } =
    operation
  const refused = (name: keyof typeof ERROR_RESPONSES) => refusalResponse(name, operation.refusal)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\nScopes of API keys, one of: ${scopesOf(id).join(', ')}.`,
    'x-scopes': scopesOf(id),
    ...(testOnly && { 'x-test-only': true }),
    requestParams: {
      ...(query && { query }),
      ...(params && { path: params }),
      ...headerParameters(operation, takesKey),
    },
    ...(body && { requestBody: requestBody(body, operation) }),
    responses: {
      [operation.status ?? 200]: {
        description: 'Done',
        ...answerHeaders(operation, takesKey),
        content: {
          'application/json': { schema: response, example: responseExample },
          ...(operation.stream && { [EVENT_STREAM]: operation.stream.document }),
          ...(operation.table && {
            [TABLE]: { schema: { type: 'string' as const }, example: operation.table.example },
          }),
        },
      },
      ...(operation.isUnderWay && {
        202: {
          description: 'Under way',
          ...answerHeaders(operation, takesKey),
          content: { 'application/json': { schema: response } },
        },
      }),
      400: operation.isMalformed ? malformedResponse(operation) : refused('BadRequest'),
      401: refused('Unauthenticated'),
      403: refused('Forbidden'),
      ...(operation.notFound && { 404: refused('NotFound') }),
      408: refused('TooSlow'),
      ...(body && { 413: refused('TooLarge'), 415: refused('UnsupportedMediaType') }),
      429: refused('TooManyRequests'),
      500: refused('InternalError'),
      503: refused('Unavailable'),
    },
  }
}

function headerParameters({ stream, withoutResource }: Operation, takesKey: boolean) {
  const taken = [takesKey && KEY_PARAMETER, withoutResource && PREFER_PARAMETER, stream && LAST_EVENT_ID]
  const shapes = taken.flatMap((header) => (header ? [header.shape] : []))
  return shapes.length === 0 ? {} : { header: z.object(Object.assign({}, ...shapes) as z.ZodRawShape) }
}

function answerHeaders({ withoutResource }: Operation, takesKey: boolean) {
  const headers = { ...(takesKey && REPLAYED), ...(withoutResource && APPLIED) }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

function requestBody(
  body: FieldsSchema,
  { examples = [], jsonOnly = false, streams = [] }: Pick<Operation, 'examples' | 'jsonOnly' | 'streams'>,
) {
  const required = !body.safeParse({}).success
  const named = Object.fromEntries(
    examples
      .filter((example): example is OperationExample & { body: Record<string, unknown> } => 'body' in example)
      .map(({ summary, body }, n) => [`example${n + 1}`, { summary, value: body }]),
  )
  return {
    required,
    content: {
      [MEDIA_TYPES.json]: { schema: body, examples: named },
      ...(!jsonOnly && { [MEDIA_TYPES.form]: { schema: body, examples: named } }),
      ...Object.fromEntries(streams.map((type) => [type, { schema: { type: 'string' as const } }])),
    },
  }
}

/** Of operations that can omit the resource from their response. */
const PREFER_PARAMETER = z.object({
  [PREFER_HEADER]: z
    .string()
    .optional()
    .meta({
      description: `\`${MINIMAL}\` omits \`resource\` from the response (RFC 7240).`,
      example: MINIMAL,
    }),
})

/** Of their responses. */
const APPLIED = {
  [APPLIED_HEADER]: {
    description: `\`${MINIMAL}\` if \`resource\` was omitted as requested`,
    schema: { type: 'string' as const },
  },
}
