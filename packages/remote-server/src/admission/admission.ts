import type { NextFunction, Request, Response } from 'express'
import { authenticate } from './authentication.js'
import { ConsoleCookies } from '../console/cookies.js'
import { ClientAddresses } from '../connection/client-address.js'
import type { ServerSettings } from '../options.js'
import { RateLimits } from './rate-limits.js'
import type { Readiness } from '../health/readiness.js'
import { requestContext } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

/** Admission checks that run before every operation. */
export interface Admission {
  readonly limits: RateLimits

  /** Counts a request for its address, and records where it comes from. Must run first. */
  receive(req: ServedRequest, res: ServedResponse): void
  /** Authenticates a request. */
  identify(req: ServedRequest, res: ServedResponse): Promise<void>
}

/** Both steps throw the reason for a refusal: `too_many_requests`, `unauthenticated`, `unavailable`. */
export function admission(settings: ServerSettings, readiness: Readiness): Admission {
  const { authenticator, audit } = settings
  const limits = new RateLimits(settings.rateLimits)
  const addresses = new ClientAddresses(settings.trustProxy !== false)
  const authenticated = authenticate({
    authenticator,
    limits,
    audit,
    cookies: new ConsoleCookies(settings.publicUrl),
    readiness,
  })
  const receive = (req: ServedRequest, res: ServedResponse) => {
    const context = requestContext(res)
    context.client = addresses.of(req)
    limits.countAddress(context.client, res)
  }
  return {
    limits,
    receive,
    identify: (req, res) => authenticated(req, res, requestContext(res).client ?? addresses.of(req)),
  }
}

/** Exempt from rate limits: monitoring may poll it as often as necessary. */
const UNLIMITED = '/health/'

/** {@link Admission.receive} for requests that do not take the shortcut to an operation. */
export const receiving =
  (admission: Admission) =>
  (req: Request, res: Response, next: NextFunction): void => {
    if (!req.path.startsWith(UNLIMITED)) admission.receive(req, res)
    next()
  }
