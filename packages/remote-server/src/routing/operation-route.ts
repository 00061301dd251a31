import {
  AgentError,
  inSpan,
  onlyReads,
  runInAccountScope,
  runWhileWanted,
  withCost,
  type AuthenticatedAccount,
  type IdempotentRun,
  type Wanted,
} from '@vidimus/core-types'
import { auditAct } from './audited-acts.js'
import { answerBody, type AnswerBody } from '../answers/answer-body.js'
import type { BaseHeaders } from '../answers/base-headers.js'
import {
  APPLIED_HEADER,
  MINIMAL,
  minimalBody,
  minimalResult,
  wantsMinimal,
} from '../answers/return-preference.js'
import { answerTable, wantsTable } from '../answers/table-answers.js'
import { wantsStream, type EventStreams } from '../answers/event-streams.js'
import { refuseKey } from '../idempotency/idempotency-key.js'
import { idempotentAnswers } from '../idempotency/idempotent-answers.js'
import { bodyFormat, hasBody, streamedType, type BodyFormat } from '../input/content-type.js'
import { operationInput, type RawInput } from '../input/operation-input.js'
import { flawOfText, malformedBody } from '../input/malformed-body.js'
import { streamedBody, type LeastPace } from '../input/streamed-body.js'
import type { RequestCounts } from '../metrics/request-counts.js'
import type { Operation, Upload } from '../operation.js'
import type { OperationSettings, ServerSettings } from '../options.js'
import { addHeaders, requestContext } from '../request/request-context.js'
import { isServedByReaders, scopesOf } from '../admission/scope-table.js'
import { requireScopeOf } from '../admission/scopes.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

/** Shared by all operations. */
export interface OperationParts {
  settings: ServerSettings & OperationSettings
  headers: BaseHeaders
  counts: RequestCounts
  streams: EventStreams
  /** the process is on a standby */
  readsOnly: boolean
}

/** The processing of an authenticated request by its operation. */
export function operationRoute(
  operation: Operation,
  { settings, headers, counts, streams, readsOnly }: OperationParts,
): (req: ServedRequest, res: ServedResponse) => Promise<void> {
  const { limits, agent } = settings
  const readInput = operationInput(operation, { depth: limits.jsonDepth })
  const scopes = scopesOf(operation.id)
  const idempotencyOf = idempotentAnswers(operation, settings)
  const isRefused = readsOnly && !isServedByReaders(operation)

  /** What is written at the pace of its reader does not count as running. */
  function answerInPieces(
    req: ServedRequest,
    res: ServedResponse,
    account: AuthenticatedAccount,
  ): Promise<void> | undefined {
    const stream = wantsStream(req) ? operation.stream : undefined
    const table = !stream && wantsTable(req) ? operation.table : undefined
    if (!stream && !table) return undefined
    const { query } = readInput({ query: readQuery(req), params: readParams(req) })
    const input = { query, agent, account, settings }
    if (stream) return streams.answer(req, res, stream, input)
    return table && counts.tables.during(account.id, () => answerTable(res, table, input, headers))
  }

  return async function answerOperation(req, res) {
    const context = requestContext(res)
    const { account, requestId, client, life } = context
    // Cannot happen as long as the routes are mounted behind authentication; the account guard depends on it.
    if (!account) throw new AgentError('no_account_scope', `${operation.id} was reached without an account`)
    const { id } = account
    context.operation = operation
    requireScopeOf(account.grant, scopes)
    if (isRefused) throw onlyReads()
    counts.unread.ofAccounts.demandRoom(id)
    const inPieces = answerInPieces(req, res, account)
    if (inPieces) return inPieces
    const once = idempotencyOf(req)
    const minimal = wantsMinimal(operation, req.headers)
    if (minimal) addHeaders(res, APPLIED_HEADER, MINIMAL)
    const upload = uploadIn(operation, req, res, settings.timeouts)
    if (upload) refuseKey(req.headers, 'is not for files: name the job with jobId, and repeat the request')
    // Refusals come before the body is read, and requests waiting for their body do not count as running.
    else counts.concurrent.demandRoom(id)
    const raw: RawInput = { query: readQuery(req), params: readParams(req), isStreamed: upload !== undefined }
    const format = upload ? undefined : formatOfBody(operation, req)
    const answerOf = (text?: string) => {
      if (format && text !== undefined) raw.body = { format, text }
      if (operation.refusal && text !== undefined) context.sent = text
      const input = readInput(raw)
      const begun = async <Body>(write: (result: unknown) => Body) => {
        const result = await runOperation(operation, {
          ...input,
          agent,
          account,
          settings,
          ...(upload && { upload }),
        })
        const recorded = auditAct(settings.audit, operation.id, input, result)
        if (recorded) await recorded
        return { status: statusOf(operation, result), body: write(minimal ? minimalResult(result) : result) }
      }
      const work = <Body>(write: (result: unknown) => Body, run?: IdempotentRun) => {
        const origin = { requestId, ...(client && { address: client.address }), ...(run && { run }) }
        const inSpanOfIt = () => inSpan(operation.id, undefined, () => begun(write))
        return whileWanted(operation, life, () => runInAccountScope(account, inSpanOfIt, origin))
      }
      return once
        ? once(res, account, input, (run) => work<string>(JSON.stringify, run))
        : work<AnswerBody>(answerBody)
    }
    const runningOf = (text?: string) => counts.concurrent.during(id, () => answerOf(text))
    const { status, body } = await (upload
      ? counts.uploads.during(id, () => answerOf())
      : format
        ? counts.bodies.during(req, res, id, runningOf)
        : runningOf())
    // What was read in vain can be asked for again; a change is always answered.
    if (!operation.changes) counts.unread.ofAccounts.demandRoom(id)
    const isKept = minimal && context.replayed && typeof body === 'string'
    headers.answer(res, status, isKept ? minimalBody(body) : body)
  }
}

/** The result of the operation, with its cost. */
function runOperation(operation: Operation, input: Parameters<Operation['run']>[0]): Promise<unknown> {
  if (!operation.mayCost) return operation.run(input)
  return withCost(() => operation.run(input) as Promise<object>)
}

function statusOf(operation: Operation, result: unknown): number {
  if (operation.isMalformed?.(result as never)) return 400
  if (operation.isUnderWay?.(result as Readonly<Record<string, unknown>>)) return 202
  return operation.status ?? 200
}

/** Nothing starts for a disconnected client; reads end with their client, changes are completed. */
function whileWanted<T>({ changes }: Operation, life: Wanted, work: () => T): T {
  if (life.isOver) life.gone.throwIfAborted()
  return changes ? work() : runWhileWanted(life, work)
}

/** @returns `undefined` if there is no body to read */
function formatOfBody(
  { method, jsonOnly, streams }: Operation,
  { headers }: ServedRequest,
): BodyFormat | undefined {
  return method === 'get' || !hasBody(headers) ? undefined : bodyFormat(headers, jsonOnly, streams)
}

/** @returns `undefined` for a body that is read as a whole */
function uploadIn(
  { streams = [] }: Operation,
  req: ServedRequest,
  res: ServedResponse,
  pace: LeastPace,
): Upload | undefined {
  const mediaType = streamedType(req.headers, streams)
  if (mediaType === undefined) return undefined
  return { mediaType, content: streamedBody(req, res, requestContext(res).life.gone, pace) }
}

/** Requests that bypass Express have a path without parameters. */
function readParams({ params = {} }: ServedRequest): Record<string, unknown> {
  for (const [name, value] of Object.entries(params)) {
    const flaw = flawOfText(String(value))
    if (flaw) throw malformedBody(name, flaw, 'path')
  }
  return params
}

function readQuery({ url = '' }: ServedRequest): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
