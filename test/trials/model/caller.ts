import { setTimeout } from 'node:timers/promises'
import { ERROR_CODES } from '@vidimus/core-types'
import type { Body, Request } from '../../support/client.js'
import type { Fleet } from '../fleet.js'
import type { Facts } from './facts.js'
import type { Faults } from './faults.js'
import type { Random } from './random.js'

/** What became of a request. */
export type Said =
  | { kind: 'done'; status: number; body: Body; requestId: string }
  | { kind: 'refused'; status: number; code: string; error: string }
  /** it may have been done, may be done later, or never */
  | { kind: 'lost'; code?: string }

export interface Asking extends Request {
  /** of another account than the fleet's */
  account?: string
  /** the connection may break once the request is sent */
  fragile?: boolean
}

const MOST_MS = 45_000
/** Later requests may pass this time where nothing is amiss, and are then beside those that were cut off. */
const LONGEST_CUT_MS = 60

/** Callers and what they share: the processes, what was acknowledged, and whoever makes faults. */
export interface World {
  fleet: Fleet
  facts: Facts
  faults: Faults
  /** with the scope `operator` */
  operatorKey: string
  /** ledgers are those of a network */
  onNetwork: boolean
  /** everybody stops asking for new things */
  isOver: () => boolean
}

/** A client, who asks one thing after the other. */
export class Caller {
  constructor(
    readonly world: World,
    readonly n: number,
    readonly random: Random,
  ) {}

  get facts(): Facts {
    return this.world.facts
  }

  /** One request, to any process. */
  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, asking: Asking = {}): Promise<Said> {
    const { account, fragile, ...request } = asking
    const requestId = this.random.uuid()
    const base = this.world.fleet.client(this.random.between(0, this.world.fleet.size - 1))
    const client = account === undefined ? base : base.as(account)
    const cutMs = fragile ? this.random.between(0, LONGEST_CUT_MS) : MOST_MS
    try {
      const headers = { ...request.headers, 'x-request-id': requestId }
      const signal = AbortSignal.timeout(cutMs)
      const { status, body } = await client.call(method, path, { ...request, headers, signal })
      if (status < 300) return { kind: 'done', status, body, requestId }
      const { code = 'none', error } = body as { code?: string; error: string }
      // Resolutions have errors of their own form.
      if (code !== 'none' && !Object.hasOwn(ERROR_CODES, code))
        this.facts.find(`${method} ${path}: ${status} with the code ${code}`)
      return status >= 500 ? { kind: 'lost', code } : { kind: 'refused', status, code, error }
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return { kind: 'lost' }
      this.facts.find(`${method} ${path}: ${error instanceof Error ? error.message : String(error)}`)
      return { kind: 'lost' }
    }
  }

  /**
   * The same in the same words until there is an answer, also after the others have stopped.
   *
   * @returns the answer; `undefined` where a minute has brought none
   */
  async insist(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    asking: Asking = {},
  ): Promise<Exclude<Said, { kind: 'lost' }> | undefined> {
    const startedAt = performance.now()
    const passing: Record<string, number> = {}
    for (let attempt = 0; performance.now() - startedAt < 60_000; attempt += 1) {
      const said = await this.ask(method, path, {
        ...asking,
        fragile: asking.fragile === true && attempt === 0,
      })
      if (said.kind !== 'lost' && !isPassing(said)) return said
      const what = said.kind === 'lost' ? (said.code ?? 'lost') : told(said)
      passing[what] = (passing[what] ?? 0) + 1
      await setTimeout(this.random.between(20, 60 * Math.min(attempt + 1, 8)))
    }
    this.facts.find(`${method} ${path} had no answer within a minute: ${JSON.stringify(passing)}`)
    return undefined
  }
}

/** The change stands, but its entries were changed again before a receipt was signed: no repetition gets one. */
export const standsWithoutReceipt = (said: Said): boolean =>
  said.kind === 'refused' && said.code === 'version_conflict' && said.error.startsWith('the update is stored')

/** Refusals that change nothing, and say that the same request may succeed. */
export const isPassing = (said: Said): boolean =>
  said.kind === 'refused' &&
  !standsWithoutReceipt(said) &&
  (said.code === 'version_conflict' || said.status === 429 || said.status === 408)

export const told = (said: Said | undefined): string =>
  said === undefined
    ? 'no answer'
    : said.kind === 'refused'
      ? `${said.status} ${said.code}: ${said.error}`
      : said.kind
