import type { IncomingHttpHeaders } from 'node:http'
import { AgentError, type Authenticator } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { contextOf } from './request-context.js'

/** A header that is longer cannot be a key: not worth a look-up. */
const LONGEST_KEY = 512
const BEARER = /^bearer +([^\s,]+) *$/i

/**
 * Finds the account by the API key in `x-api-key` or `authorization: Bearer` (RFC 6750 2.1) and refuses everybody else,
 * before anything of the body is read. The answer is the same whether a key is missing, unknown, expired or revoked.
 */
export const authenticate =
  (authenticator: Authenticator) =>
  async (req: Request, res: Response): Promise<void> => {
    const key = presentedKey(req.headers)
    const account = key === undefined ? undefined : await authenticator.authenticate(key)
    if (!account) {
      throw new AgentError('unauthenticated', 'x-api-key: the access token is missing or invalid')
    }
    contextOf(res).account = account
  }

/** @returns what could be a key; nothing where two headers name different ones */
function presentedKey({ 'x-api-key': own, authorization }: IncomingHttpHeaders): string | undefined {
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
  const key = own === undefined || own === '' ? bearer : own
  if (typeof key !== 'string' || key.length > LONGEST_KEY) return undefined
  return bearer === undefined || bearer === key ? key : undefined
}
