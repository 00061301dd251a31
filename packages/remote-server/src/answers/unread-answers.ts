import type { Socket } from 'node:net'
import { AgentError, outsideOfRequests } from '@vidimus/core-types'
import type { Places, Share } from '../admission/places.js'
import { requestContext } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'

/** What an answer takes beside its bytes while it waits, with its request. */
const BYTES_OF_ANSWER = 8 * 1024
/** How often a deadline is looked at within its time. */
const LOOKS = 4
/** A connection whose answers wait behind others is closed when its owner has this many times its share. */
const MOST_SHARES = 2

/** An answer that waits for its client. */
interface Waiting {
  /** absent: only the deadline applies */
  share: Share | undefined
  bytes: number
  /** of its connection, when it was last looked at */
  left: number
  /** looks since the client has taken something */
  looks: number
}

/**
 * Answers that were written and that their clients have not taken: their bytes count for whoever asked, and a client
 * that takes none in time loses its connection.
 */
export class UnreadAnswers {
  private readonly waiting = new Map<ServedResponse, Waiting>()
  private timer: NodeJS.Timeout | undefined

  /** @param ofAccounts - counts bytes of accounts. @param ms - within which some bytes must be taken */
  constructor(
    readonly ofAccounts: Places,
    private readonly ms: number,
  ) {}

  /** Counts everything that is written to the response from now on. */
  watch(res: ServedResponse): void {
    type Writing = (...parts: unknown[]) => unknown
    const watched = (writing: Writing): Writing => {
      return (...parts) => {
        const result = writing(...parts)
        this.note(res)
        return result
      }
    }
    const { write, end } = { write: res.write.bind(res) as Writing, end: res.end.bind(res) as Writing }
    Object.assign(res, { write: watched(write), end: watched(end) })
  }

  private note(res: ServedResponse): void {
    const { life } = requestContext(res)
    const known = this.waiting.get(res)
    // The system has taken all of it, which is the rule.
    if (life.isOver || (res.writableLength === 0 && !known)) return
    const answer = known ?? this.begin(res)
    count(answer, res.writableLength + BYTES_OF_ANSWER)
    const { places, of } = answer.share ?? {}
    // It can only be read after those before it, as can every further one.
    const isBehind = res.socket === null
    if (isBehind && of !== undefined && (places?.partOf(of) ?? 0) > MOST_SHARES) res.req.socket.destroy()
  }

  private begin(res: ServedResponse): Waiting {
    const { account, life, unread } = requestContext(res)
    const share = unread ?? (account && { places: this.ofAccounts, of: account.id })
    const answer: Waiting = { share, bytes: 0, left: Infinity, looks: 0 }
    this.waiting.set(res, answer)
    this.timer ??= outsideOfRequests(() => setInterval(() => this.look(), this.ms / LOOKS).unref())
    life.atEnd(() => {
      count(answer, 0)
      this.waiting.delete(res)
      if (this.waiting.size > 0) return
      clearInterval(this.timer)
      this.timer = undefined
    })
    return answer
  }

  /** Looks are counted, not the time: while the process was stopped, no client could take anything. */
  private look(): void {
    for (const [res, answer] of this.waiting) {
      const { socket } = res
      // Without a socket it is not its turn; without bytes it is ours.
      const left = socket ? bytesLeft(socket) : 0
      answer.looks = left > 0 && left === answer.left ? answer.looks + 1 : 0
      answer.left = left
      count(answer, res.writableLength + BYTES_OF_ANSWER)
      if (answer.looks < LOOKS) continue
      requestContext(res).failure = new AgentError(
        'request_timeout',
        `nothing of the answer was read within ${this.ms} ms`,
      )
      socket?.destroy()
    }
  }
}

function count(answer: Waiting, bytes: number): void {
  answer.share?.places.add(answer.share.of, bytes - answer.bytes)
  answer.bytes = bytes
}

/** Node.js itself judges by the queue of the handle whether a write goes on: a chunk counts as a whole elsewhere. */
function bytesLeft(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength === 0 ? 0 : (handle?.writeQueueSize ?? socket.writableLength)
}
