import { AgentError, SharedQueue } from '@vidimus/core-types'
import type { ServedResponse } from '../request/served-request.js'
import type { Limits } from '../options.js'
import { addHeaders, contextOf, type RequestContext } from '../request/request-context.js'

/** The part of everything that waits that one address may have. */
const PART_OF_ADDRESS = 4

/** What one address has of all that is there for everybody. */
interface Share {
  requests: number
  /** of answers that it has not read */
  bytes: number
}

/**
 * Requests that everybody may send, without an API key: few at a time, of each address no more than its share, in fair order. Who
 * sends them takes neither the time nor the memory of those who have a key: how many may wait is bounded, and what clients
 * leave unread counts until their connection is at its end.
 *
 * An address that does not tell clients apart has no share of its own: everybody may be behind it.
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

  /** Under way, or waiting. */
  get count(): number {
    return this.all.requests
  }

  /**
   * Does the work of a request once it may begin.
   *
   * @throws AgentError `unavailable` where too much is there, `too_many_requests` where too much is from its address, and
   * what `work` throws
   */
  async run(res: ServedResponse, work: () => Promise<void>): Promise<void> {
    const context = contextOf(res)
    const of = groupOf(context)
    // Whom nothing tells apart has a share with each request.
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

  /** What a client takes its time to read is kept for it. */
  private countUnread(of: string | undefined, res: ServedResponse): void {
    const bytes = res.writableFinished ? 0 : res.writableLength
    if (bytes === 0) return
    this.add(of, { requests: 0, bytes })
    contextOf(res).life.atEnd(() => this.add(of, { requests: 0, bytes: -bytes }))
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

const groupOf = ({ client }: RequestContext): string | undefined =>
  client?.tellsApart ? client.group : undefined
