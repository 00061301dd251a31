import { type LookupAddress, type LookupOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isPublicAddress, NOT_REACHED } from './public-addresses.js'

type Callback = (
  error: NodeJS.ErrnoException | null,
  addresses: LookupAddress[] | string,
  family?: number,
) => void

/** The option `lookup` of a connection. */
export type HostLookup = (hostname: string, options: LookupOptions, callback: Callback) => void

/** Gives each account a share of a contended resource, as the `SharedQueue` of core-types does. */
interface Shares {
  run<T>(of: string, work: () => Promise<T>): Promise<T>
}

export interface StrangersHostsOptions {
  /** for one name, milliseconds; default 4000 */
  timeoutMs?: number
  /** `address:port` of name servers; default: those of the system */
  servers?: readonly string[]
}

/** The share of look-ups without an account. */
const NOBODY = ''
const TRIES = 2

/**
 * Looks up the hosts that callers name, and returns only public addresses. It runs for the connection that is opened,
 * so that a name cannot mean one address when it is checked and another one when it is used.
 *
 * The system's look-up occupies one of the few threads that encryption and compression need as well, for as long as a
 * name server wishes. This one uses none, has a time limit, and each account has its share of it.
 */
export class StrangersHosts {
  private readonly timeoutMs: number
  private readonly servers: readonly string[] | undefined

  constructor(
    private readonly queue: Shares,
    { timeoutMs = 4000, servers }: StrangersHostsOptions = {},
  ) {
    this.timeoutMs = timeoutMs
    this.servers = servers
  }

  /** @param account - whose share it uses; default: that of all without an account */
  lookupFor(account: string = NOBODY): HostLookup {
    return (hostname, options, callback) => {
      this.queue
        .run(account, () => this.publicAddresses(hostname, options.family))
        .then(
          ([first, ...others]) => {
            if (options.all) callback(null, [first, ...others])
            else callback(null, first.address, first.family)
          },
          (error: unknown) => callback(error as NodeJS.ErrnoException, []),
        )
    }
  }

  /** @throws Error with a sentence without addresses */
  private async publicAddresses(
    hostname: string,
    family: LookupOptions['family'],
  ): Promise<[LookupAddress, ...LookupAddress[]]> {
    // By no name server (RFC 6761).
    const found = isLocalhost(hostname) ? [] : await this.resolve(hostname, family)
    const [first, ...others] = found.filter(isPublicAddress)
    if (!first) throw new Error(NOT_REACHED, { cause: 'it has no public address' })
    return [first, ...others]
  }

  private async resolve(hostname: string, family: LookupOptions['family']): Promise<LookupAddress[]> {
    const resolver = new Resolver({ timeout: Math.ceil(this.timeoutMs / TRIES), tries: TRIES })
    if (this.servers) resolver.setServers(this.servers)
    const timer = setTimeout(() => resolver.cancel(), this.timeoutMs)
    try {
      const answers = await Promise.allSettled([
        family === 6 || family === 'IPv6' ? [] : resolver.resolve4(hostname),
        family === 4 || family === 'IPv4' ? [] : resolver.resolve6(hostname),
      ])
      const found = answers.flatMap((answer, n) =>
        answer.status === 'rejected'
          ? []
          : answer.value.map((address) => ({ address, family: n === 0 ? 4 : 6 })),
      )
      if (found.length > 0) return found
      throw new Error(NOT_REACHED, { cause: 'it was not found' })
    } finally {
      clearTimeout(timer)
    }
  }
}

const isLocalhost = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname)
