import { SharedQueue } from '@vidimus/core-types'
import type { ServedResponse } from '../request/served-request.js'
import type { Limits } from '../limits.js'
import { requestContext, type RequestContext } from '../request/request-context.js'
import { Places } from './places.js'

/** Divisor of what all may take that gives the share of one address, and by default that of one account. */
export const PART_OF_ONE = 4

/**
 * Public requests without an API key: few run at a time, limited per address and in fair order. They do not use the
 * time or memory of authenticated clients: the queue is bounded, and unread response data counts until the connection
 * ends.
 *
 * An address shared by many clients has no share: any client may be behind it.
 */
export class PublicRequests {
  private readonly queue: SharedQueue
  private readonly requests: Places
  private readonly unread: Places
  private last = 0

  constructor(
    limits: Pick<
      Limits,
      'publicRequests' | 'publicRequestsPerAddress' | 'concurrentRequests' | 'bodyBytesTogether'
    >,
  ) {
    this.queue = new SharedQueue(limits.publicRequests, limits.publicRequestsPerAddress)
    this.requests = placesOfPublic(limits.concurrentRequests, 'concurrent requests')
    this.unread = placesOfPublic(limits.bodyBytesTogether, 'bytes of unread answers')
  }

  /** Running or waiting. */
  get count(): number {
    return this.requests.count
  }

  /**
   * Runs a request once it may start.
   *
   * @throws LimitReached `unavailable` if the common capacity is exhausted, `too_many_requests` if the share of its
   * address is, and any error of `work`
   */
  async run(res: ServedResponse, work: () => Promise<void>): Promise<void> {
    const context = requestContext(res)
    const of = clientGroup(context)
    this.unread.demandRoom(of)
    context.unread = { places: this.unread, of }
    // Without a distinguishing address, each request has its own share.
    await this.requests.during(of, () => this.queue.run(of ?? `request ${++this.last}`, work))
  }
}

const placesOfPublic = (most: number, what: string): Places =>
  new Places(
    {
      limit: 'publicRequestsPerAddress',
      most: most / PART_OF_ONE,
      what: `too many ${what} from this address`,
    },
    { limit: 'publicRequests', most, what: `too many ${what} without an API key` },
  )

const clientGroup = ({ client }: RequestContext): string | undefined =>
  client?.tellsApart ? client.group : undefined
