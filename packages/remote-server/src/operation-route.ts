import { AgentError, inSpan, runInAccountScope, type IdempotentRun } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { BaseHeaders } from './base-headers.js'
import type { ConcurrentRequests } from './concurrent-requests.js'
import { wantsStream, type EventStreams } from './event-streams.js'
import { idempotentAnswers } from './idempotency/idempotent-answers.js'
import { bodyFormat, hasBody } from './input/content-type.js'
import { operationInput, type RawInput } from './input/operation-input.js'
import { readBody } from './input/read-body.js'
import type { Operation } from './operation.js'
import type { OperationSettings, ServerSettings } from './options.js'
import { contextOf } from './request-context.js'
import { scopesOf } from './scope-table.js'
import { requireScopeOf } from './scopes.js'

/** What all operations share. */
export interface OperationParts {
  settings: ServerSettings & OperationSettings
  headers: BaseHeaders
  concurrent: ConcurrentRequests
  streams: EventStreams
}

/** The way of an authenticated request through its operation. */
export function operationRoute(
  operation: Operation,
  { settings, headers, concurrent, streams }: OperationParts,
): (req: Request, res: Response) => Promise<void> {
  const { limits, agent } = settings
  const readInput = operationInput(operation, { depth: limits.jsonDepth })
  const scopes = scopesOf(operation.id)
  const keyOf = idempotentAnswers(operation, settings)

  return async (req, res) => {
    const context = contextOf(res)
    const { account, requestId, client } = context
    // Cannot happen as long as the routes are mounted behind authentication; the account guard depends on it.
    if (!account) throw new AgentError('no_account_scope', `${operation.id} was reached without an account`)
    context.operation = operation
    requireScopeOf(account.grant, scopes)
    if (operation.stream && wantsStream(req)) {
      const input = readInput({ query: queryOf(req.url), params: paramsOf(req) })
      const { query } = input
      return streams.answer(req, res, operation.stream, { query, agent, account, settings })
    }
    const once = keyOf(req)
    const answer = await concurrent.run(async () => {
      const raw = await rawInput(operation, req, res, limits.bodyBytes)
      if (operation.refusal && raw.body) context.sent = raw.body.text
      const input = readInput(raw)
      const work = async (run?: IdempotentRun) => {
        const origin = { requestId, ...(client && { address: client.address }), ...(run && { run }) }
        const result = await runInAccountScope(
          account,
          () => inSpan(operation.id, undefined, () => operation.run({ ...input, agent, account, settings })),
          origin,
        )
        return JSON.stringify(result)
      }
      return once ? once(res, account, input, work) : { status: operation.status ?? 200, body: await work() }
    })
    headers.answer(res, answer.status, answer.body)
  }
}

async function rawInput(
  { method, jsonOnly }: Operation,
  req: Request,
  res: Response,
  maxBytes: number,
): Promise<RawInput> {
  const raw: RawInput = { query: queryOf(req.url), params: paramsOf(req) }
  if (method === 'get' || !hasBody(req.headers)) return raw
  const format = bodyFormat(req.headers, jsonOnly)
  return { ...raw, body: { format, text: await readBody(req, res, maxBytes) } }
}

/** Requests that did not come through Express have a path without parameters. */
const paramsOf = ({ params }: Partial<Pick<Request, 'params'>>) => params ?? {}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
