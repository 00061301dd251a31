import { AgentError, type Authenticator } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { contextOf } from './request-context.js'

/** A header that is longer cannot be a key: not worth a look-up. */
const LONGEST_KEY = 512

/**
 * Finds the account by the `x-api-key` header and refuses everybody else, before anything of the body is read. The
 * answer is the same whether a key is missing, unknown, expired or revoked.
 */
export const authenticate =
  (authenticator: Authenticator) =>
  async (req: Request, res: Response): Promise<void> => {
    const key = req.headers['x-api-key']
    const usable = typeof key === 'string' && key !== '' && key.length <= LONGEST_KEY
    const account = usable ? await authenticator.authenticate(key) : undefined
    if (!account) {
      throw new AgentError('unauthenticated', 'x-api-key: the access token is missing or invalid')
    }
    contextOf(res).account = account
  }
