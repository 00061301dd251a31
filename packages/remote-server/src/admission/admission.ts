import { AgentError } from '@vidimus/core-types'
import type { NextFunction, Request, Response } from 'express'
import { authenticate } from './authentication.js'
import { ClientAddresses } from '../connection/client-address.js'
import type { ServerSettings } from '../options.js'
import { RateLimits } from './rate-limits.js'
import type { Readiness } from '../health/readiness.js'
import { contextOf } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

/** What stands before every operation. */
export interface Admission {
  /** Counts a request for its address, and notes down where it comes from. Must come first. */
  receive(req: ServedRequest, res: ServedResponse): void
  /** Finds out whose request it is. */
  identify(req: ServedRequest, res: ServedResponse): Promise<void>
}

/** Both parts throw what keeps the request out: `too_many_requests`, `unauthenticated`, `unavailable`. */
export function admission(settings: ServerSettings, readiness: Readiness): Admission {
  const { authenticator, audit } = settings
  const limits = new RateLimits(settings.rateLimits)
  const addresses = new ClientAddresses(settings.trustProxy !== false)
  const authenticated = authenticate({ authenticator, limits, audit })
  const receive = (req: ServedRequest, res: ServedResponse) => {
    const context = contextOf(res)
    context.client = addresses.of(req)
    limits.countAddress(context.client, res)
  }
  return {
    receive,
    async identify(req, res) {
      await authenticated(req, res, contextOf(res).client ?? addresses.of(req))
      // What an earlier run left half-done is completed first; operations that came in between would meet it.
      if (readiness.isStarting)
        throw new AgentError('unavailable', 'the service is starting; try again in a moment')
    },
  }
}

/** Who looks after the service asks for its health as often as that takes. */
const UNLIMITED = '/health/'

/** {@link Admission.receive} for everything that is no short way to an operation. */
export const receiving =
  (admission: Admission) =>
  (req: Request, res: Response, next: NextFunction): void => {
    if (!req.path.startsWith(UNLIMITED)) admission.receive(req, res)
    next()
  }
