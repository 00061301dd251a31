import { AgentError, runInAccountScope } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { BaseHeaders } from './base-headers.js'
import { bodyFormat, hasBody } from './input/content-type.js'
import { operationInput, type RawInput } from './input/operation-input.js'
import { readBody } from './input/read-body.js'
import type { Operation } from './operation.js'
import type { ServerSettings } from './options.js'
import { contextOf } from './request-context.js'

/** The way of an authenticated request through its operation. */
export function operationRoute(
  operation: Operation,
  settings: ServerSettings,
  headers: BaseHeaders,
): (req: Request, res: Response) => Promise<void> {
  const { limits, agent } = settings
  const readInput = operationInput(operation, { depth: limits.jsonDepth })

  return async (req, res) => {
    const context = contextOf(res)
    const { account } = context
    // Cannot happen as long as the routes are mounted behind authentication; the account guard depends on it.
    if (!account) throw new AgentError('no_account_scope', `${operation.id} was reached without an account`)
    context.operation = operation
    const input = readInput(await rawInput(operation, req, res, limits.bodyBytes))
    const result = await runInAccountScope(account, () =>
      operation.run({ ...input, agent, account, settings }),
    )
    headers.answer(res, result)
  }
}

async function rawInput(
  { method, jsonOnly }: Operation,
  req: Request,
  res: Response,
  maxBytes: number,
): Promise<RawInput> {
  const raw: RawInput = { query: queryOf(req.url), params: req.params }
  if (method === 'get' || !hasBody(req.headers)) return raw
  const format = bodyFormat(req.headers, jsonOnly)
  return { ...raw, body: { format, text: await readBody(req, res, maxBytes) } }
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
