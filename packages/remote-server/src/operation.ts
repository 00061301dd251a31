import type { AuthenticatedAccount, ErrorCode, Problem } from '@vidimus/core-types'
import type { z } from 'zod'
import type { ErrorBody } from './errors/error-body.js'
import type { ServiceAgent, ServiceMethod } from './service-agent.js'
import type { OperationSettings } from './options.js'

/** An object whose unknown members are refused by name. */
export type FieldsSchema = z.ZodObject

export type HttpMethod = 'get' | 'post' | 'delete'

/** An example of a request with its answer, shown in the API document. */
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
}

/** The body of refusals: that of every error, and what a specification wants beside it. */
export interface RefusalForm {
  /** for the API document */
  schema: z.ZodType
  /** @param sent - the body of the request as text, as far as it was read */
  bodyOf(error: ErrorBody, sent: string | undefined): ErrorBody
}

/** An event of a stream, as a client gets it. */
export interface StreamedEvent {
  /** what a client sends as `last-event-id` to go on behind it */
  id: string
  type: string
  data: unknown
}

/** What an operation answers with while the client stays connected. */
export interface OperationStream {
  /** for the API document */
  document: { schema: z.ZodType; example: string }
  /**
   * What there is at first, and then what has come since, each time that it is asked.
   *
   * @param input - what the schemas of this very operation made of the request
   * @param lastEventId - of the client, untrusted
   * @throws AgentError before the stream begins, where the request is refused
   */
  open(
    input: Omit<RunArgs<unknown, unknown, unknown>, 'body' | 'params'>,
    lastEventId: string | undefined,
  ): Promise<() => Promise<readonly StreamedEvent[]>>
}

/**
 * What an operation is made of: routing, decoding, validation and the API document all follow from it. Which API keys may
 * use it stands in the table of `scope-table.ts`.
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
  /** the agent methods that it calls; without one of them the operation is neither served nor documented */
  needs: readonly ServiceMethod[]
  /**
   * whether it changes, may spend, or signs something: then it takes an idempotency
   * key. Others ignore one.
   */
  changes: boolean
  /** it may write to a network, and answers what was paid for it (`mayCost`) */
  mayCost?: true
  /** its answer has a `resource`, which clients may prefer to be left out */
  withoutResource?: true
  /** its answer holds a secret: it is given again to the API key that asked first, and to no other */
  answersSecret?: true
  query?: Query
  params?: Params
  /** of JSON and form alike */
  body?: Body
  /** what is wrong between the fields of a body, told with what is wrong with each of them */
  bodyProblems?: (sent: Readonly<Record<string, unknown>>) => readonly Problem[]
  /** no form can say what the body must say */
  jsonOnly?: boolean
  /** the answer of success, for the API document */
  response: z.ZodType
  /** of success, where it is not 200 */
  status?: 201
  /** the server's option that switches it off where it is false */
  switch?: 'vcApi'
  /** whether the answer says that what was sent cannot be read: then the status is 400 */
  isMalformed?: (result: never) => boolean
  /** whether what was answered is still under way: then the status is 202 */
  isUnderWay?: (result: Readonly<Record<string, unknown>>) => boolean
  responseExample: unknown
  examples?: readonly OperationExample[]
  /** not meant for production; marked in the API document */
  testOnly?: boolean
  /** codes that mean "there is no such thing" here and become a 404 */
  notFound?: readonly ErrorCode[]
  /** how a refusal reads where a specification has a form of its own for it; left out: the error alone */
  refusal?: RefusalForm
  /** the same as a stream of server-sent events, for clients that accept `text/event-stream` */
  stream?: OperationStream
  run(args: RunArgs<z.output<Query>, z.output<Params>, z.output<Body>>): Promise<unknown>
}

/** A defined operation whose input types are known only to itself. */
export interface Operation extends Omit<
  OperationDefinition<FieldsSchema, FieldsSchema, FieldsSchema>,
  'run'
> {
  /** @param input - what the schemas of this very operation made of a request */
  run(input: RunArgs<unknown, unknown, unknown>): Promise<unknown>
}

/** Keeps the types of the schemas and of `run` in step while the operation is written. */
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

/** The path in the form of the router: `/key/read/:kid`. */
export const routePattern = ({ path }: Pick<Operation, 'path'>): string => path.replace(/\{(\w+)\}/g, ':$1')
