import { AgentError, SharedQueue } from '@vidimus/core-types'
import type { ServedResponse } from '../request/served-request.js'
import type { Limits } from '../options.js'
import { addHeaders, requestContext, type RequestContext } from '../request/request-context.js'

/** Divisor of the waiting capacity that gives one address's share. */
const PART_OF_ADDRESS = 4

/** The share of one address in the common capacity. */
interface Share {
  requests: number
  /** bytes of responses that it has not read */
  bytes: number
}

/**
 * Public requests without an API key: few run at a time, limited per address and in fair order. They do not use the
 * time or memory of authenticated clients: the queue is bounded, and unread response data counts until the connection
 * ends.
 *
 * An address shared by many clients has no share: any client may be behind it.
 */
export class PublicRequests {
  private readonly queue: SharedQueue
  private readonly shares = new Map<string, Share>()
  private readonly all: Share = { requests: 0, bytes: 0 }
  private last = 0

  constructor(
    private readonly limits: Pick<
      Limits,
      'publicRequests' | 'publicRequestsPerAddress' | 'concurrentRequests' | 'bodyBytesTogether'
    >,
  ) {
    this.queue = new SharedQueue(limits.publicRequests, limits.publicRequestsPerAddress)
  }

  /** Running or waiting. */
  get count(): number {
    return this.all.requests
  }

  /**
   * Runs a request once it may start.
   *
   * @throws AgentError `unavailable` if the common capacity is exhausted, `too_many_requests` if the share of its
   * address is, and any error of `work`
   */
  async run(res: ServedResponse, work: () => Promise<void>): Promise<void> {
    const context = requestContext(res)
    const of = clientGroup(context)
    // Without a distinguishing address, each request has its own share.
    const sharer = of ?? `request ${++this.last}`
    const own = this.shareOf(of)
    this.demandRoom(own, res)
    this.add(of, { requests: 1, bytes: 0 })
    try {
      await this.queue.run(sharer, work)
    } finally {
      this.add(of, { requests: -1, bytes: 0 })
      this.countUnread(of, res)
    }
  }

  private demandRoom(own: Share | undefined, res: ServedResponse): void {
    const { concurrentRequests: waiting, bodyBytesTogether: bytes } = this.limits
    if (own && isOver(own, waiting / PART_OF_ADDRESS, bytes / PART_OF_ADDRESS)) {
      addHeaders(res, 'retry-after', '1')
      throw new AgentError(
        'too_many_requests',
        'too many concurrent requests from this address; try again in 1 s',
      )
    }
    if (isOver(this.all, waiting, bytes)) {
      throw new AgentError('unavailable', 'too many concurrent requests; try again in a moment')
    }
  }

  /** Response data that the client has not read yet stays in memory. */
  private countUnread(of: string | undefined, res: ServedResponse): void {
    const bytes = res.writableFinished ? 0 : res.writableLength
    if (bytes === 0) return
    this.add(of, { requests: 0, bytes })
    requestContext(res).life.atEnd(() => this.add(of, { requests: 0, bytes: -bytes }))
  }

  private shareOf(of: string | undefined): Share | undefined {
    return of === undefined ? undefined : (this.shares.get(of) ?? { requests: 0, bytes: 0 })
  }

  private add(of: string | undefined, { requests, bytes }: Share): void {
    this.all.requests += requests
    this.all.bytes += bytes
    const own = this.shareOf(of)
    if (of === undefined || !own) return
    own.requests += requests
    own.bytes += bytes
    if (own.requests === 0 && own.bytes === 0) this.shares.delete(of)
    else this.shares.set(of, own)
  }
}

const isOver = (share: Share, requests: number, bytes: number): boolean =>
  share.requests >= requests || share.bytes >= bytes

const clientGroup = ({ client }: RequestContext): string | undefined =>
  client?.tellsApart ? client.group : undefined
