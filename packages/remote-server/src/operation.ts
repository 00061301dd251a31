import type { AuthenticatedAccount, ErrorCode, Problem } from '@vidimus/core-types'
import type { z } from 'zod'
import type { ErrorBody } from './errors/error-body.js'
import type { ServiceAgent, ServiceMethod } from './service-agent.js'
import type { OperationSettings } from './options.js'

/** An object whose unknown members are refused by name. */
export type FieldsSchema = z.ZodObject

export type HttpMethod = 'get' | 'post' | 'delete'

/** An example request with its response, shown in the API document. */
export interface OperationExample {
  summary: string
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

export interface RunArgs<Query, Params, Body> {
  query: Query
  params: Params
  body: Body
  agent: ServiceAgent
  account: AuthenticatedAccount
  settings: OperationSettings
  /** a body of one of the {@link OperationDefinition.streams}, in place of `body` */
  upload?: Upload
}

/** A body that is read as it arrives. */
export interface Upload {
  mediaType: string
  content: AsyncIterable<Uint8Array>
}

/** The body of refusals: that of every error, with the members that a specification requires. */
export interface RefusalForm {
  /** for the API document */
  schema: z.ZodType
  /** @param sent - the body of the request as text, as far as it was read */
  bodyOf(error: ErrorBody, sent: string | undefined): ErrorBody
}

/** An event of a stream, as sent to the client. */
export interface StreamedEvent {
  /** sent by a client as `last-event-id` to continue after it */
  id: string
  type: string
  data: unknown
}

/** The response of an operation while the client stays connected. */
export interface OperationStream {
  /** for the API document */
  document: { schema: z.ZodType; example: string }
  /**
   * Returns the initial events, and on each further call the new ones.
   *
   * @param input - the request as parsed by the schemas of this operation
   * @param lastEventId - from the client, untrusted
   * @throws AgentError before the stream begins, if the request is refused
   */
  open(
    input: Omit<RunArgs<unknown, unknown, unknown>, 'body' | 'params'>,
    lastEventId: string | undefined,
  ): Promise<() => Promise<readonly StreamedEvent[]>>
}

/** What a cell of a table holds; absent: nothing. */
export type TableCell = string | number | undefined

/** The response of an operation as a table, for clients that accept `text/csv`. */
export interface OperationTable {
  fileName: string
  columns: readonly string[]
  /** for the API document */
  example: string
  /**
   * Its rows, some at a time.
   *
   * @param input - the request as parsed by the schemas of this operation
   */
  rows(
    input: Omit<RunArgs<unknown, unknown, unknown>, 'body' | 'params'>,
  ): AsyncIterable<readonly (readonly TableCell[])[]>
}

/**
 * The definition of an operation: routing, decoding, validation and the API document follow from it. The table in
 * `scope-table.ts` determines which API keys may use it.
 */
export interface OperationDefinition<
  Query extends FieldsSchema,
  Params extends FieldsSchema,
  Body extends FieldsSchema,
> {
  /** `operationId` of the API document, also the operation's name in the log */
  id: string
  method: HttpMethod
  /** in the form of OpenAPI: `/key/read/{kid}` */
  path: string
  tag: string
  summary: string
  description: string
  /** the agent methods that it calls; if one is absent, the operation is neither served nor documented */
  needs: readonly ServiceMethod[]
  /** whether it changes something, may spend, or signs: then it accepts an idempotency key. Others ignore one. */
  changes: boolean
  /** it may write to a network, and its response contains the cost (`mayCost`) */
  mayCost?: true
  /** its response has a `resource`, which clients may ask to omit */
  withoutResource?: true
  /** its response contains a secret: only the same API key can retrieve it again */
  answersSecret?: true
  query?: Query
  params?: Params
  /** for JSON and forms */
  body?: Body
  /** problems across the fields of a body, reported together with those of each field */
  bodyProblems?: (sent: Readonly<Record<string, unknown>>) => readonly Problem[]
  /** media types of further bodies, of any size, which `run` reads as they arrive */
  streams?: readonly string[]
  /** a form cannot express the body */
  jsonOnly?: boolean
  /** the success response, for the API document */
  response: z.ZodType
  /** of a success, if it is not 200 */
  status?: 201 | 202
  /** the server option that disables it when false */
  switch?: 'vcApi'
  /** whether the response reports unreadable input: then the status is 400 */
  isMalformed?: (result: never) => boolean
  /** whether the result is still pending: then the status is 202 */
  isUnderWay?: (result: Readonly<Record<string, unknown>>) => boolean
  responseExample: unknown
  examples?: readonly OperationExample[]
  /** not for production; marked in the API document */
  testOnly?: boolean
  /** codes that mean "not found" here and become a 404 */
  notFound?: readonly ErrorCode[]
  /** adds the members that a specification requires in a refusal; absent: the plain error */
  refusal?: RefusalForm
  /** the same as a stream of server-sent events, for clients that accept `text/event-stream` */
  stream?: OperationStream
  /** the same as a table, for clients that accept `text/csv` */
  table?: OperationTable
  run(args: RunArgs<z.output<Query>, z.output<Params>, z.output<Body>>): Promise<unknown>
}

/** An operation whose input types are known only to itself. */
export interface Operation extends Omit<
  OperationDefinition<FieldsSchema, FieldsSchema, FieldsSchema>,
  'run'
> {
  /** @param input - the request as parsed by the schemas of this operation */
  run(input: RunArgs<unknown, unknown, unknown>): Promise<unknown>
}

/** Keeps the types of the schemas and of `run` consistent in the definition of an operation. */
export function defineOperation<
  Query extends FieldsSchema,
  Params extends FieldsSchema,
  Body extends FieldsSchema,
>(definition: OperationDefinition<Query, Params, Body>): Operation {
  return {
    ...definition,
    run: (input) => definition.run(input as Parameters<typeof definition.run>[0]),
  }
}

/** The path in router syntax: `/key/read/:kid`. */
export const routePattern = ({ path }: Pick<Operation, 'path'>): string => path.replace(/\{(\w+)\}/g, ':$1')
