import { whoeverWaits } from '@vidimus/core-types'
import { queryRefused } from './failures.js'
import { TransportError } from './json-rpc.js'
import type { KnownHeight } from './known-height.js'
import { BehindError, BehindKnownError, type RpcEndpoint } from './rpc-endpoint.js'
import type { RpcEndpoints } from './rpc-endpoints.js'

const LACKS_FOR_MS = 60 * 60 * 1000

/** Encodes a request and decodes its response. */
export interface Codec<T> {
  encode(message: T): { finish(): Uint8Array }
  decode(bytes: Uint8Array): T
}

interface Answer {
  code?: number
  codespace: string
  log?: string
  value: Uint8Array
  height?: number
}

/** The state of the chain as of its newest block, over the ABCI queries of a node. */
export class ChainState {
  private readonly underWay = new Map<string, Promise<Uint8Array | undefined>>()
  /** when a query was found to be missing */
  private readonly unknownPaths = new Map<string, number>()

  /**
   * @param known - older states are not accepted
   * @param agree - how many nodes must report the same
   */
  constructor(
    private readonly endpoints: RpcEndpoints,
    private readonly known: KnownHeight,
    private readonly agree = 1,
  ) {}

  get knownHeight(): number {
    return this.known.last
  }

  /** A block contains a message of this process, or a change that it knows of. */
  wrote(height: number): void {
    this.known.wrote(height)
  }

  /** Whether the chain is known to lack the query; its next version may have it. */
  lacks(path: string): boolean {
    const since = this.unknownPaths.get(path)
    return since !== undefined && performance.now() - since < LACKS_FOR_MS
  }

  /**
   * One query; concurrent callers of the same query share it.
   *
   * @param atLeast - the block whose state must be known, beside what was written
   * @returns `undefined` if the chain does not have the requested value, or not the query
   * @throws LedgerError
   */
  async query<Q, A>(
    path: string,
    [request, response]: [Codec<Q>, Codec<A>],
    question: Q,
    atLeast = 0,
  ): Promise<A | undefined> {
    const bytes = request.encode(question).finish()
    const height = Math.max(atLeast, await this.known.read())
    const key = `${height} ${path} ${Buffer.from(bytes).toString('base64')}`
    let asking = this.underWay.get(key)
    if (!asking) {
      asking = whoeverWaits(() => this.ask(path, bytes, height)).finally(() => this.underWay.delete(key))
      this.underWay.set(key, asking)
    }
    const value = await asking
    return value && response.decode(value)
  }

  private async ask(path: string, data: Uint8Array, atLeast: number): Promise<Uint8Array | undefined> {
    let isBehind = false
    try {
      return await this.askEach(
        path,
        data,
        atLeast,
        (error) => (isBehind ||= error instanceof BehindKnownError),
      )
    } catch (error) {
      if (isBehind) await this.known.missed()
      throw error
    }
  }

  private askEach(
    path: string,
    data: Uint8Array,
    atLeast: number,
    failed: (error: unknown) => void,
  ): Promise<Uint8Array | undefined> {
    return this.endpoints.ask(async (endpoint) => {
      const answer = await ask(endpoint, { path, data }, atLeast).catch((error: unknown) => {
        failed(error)
        throw error
      })
      if (!this.known.isPlausible(answer.height ?? 0)) {
        throw new TransportError('it claims a block that the chain cannot have yet')
      }
      if (this.agree > 1) {
        await this.endpoints.confirmBesides(endpoint, async (other) => {
          const { height = 0 } = answer
          const second = await ask(other, { path, data, ...(height > 0 && { height }) }, height)
          if (!isSameAnswer(answer, second)) throw new TransportError('two nodes disagree')
        })
      }
      // A caller that has seen a block sees none before it, whichever node is asked next.
      await this.known.saw(answer.height ?? 0)
      return this.valueOf(path, answer)
    })
  }

  private valueOf(path: string, { code = 0, codespace, log = '', value }: Answer): Uint8Array | undefined {
    if (code === 0) {
      this.unknownPaths.delete(path)
      return value
    }
    if (/unknown query path|unknown method|unknown service/i.test(log)) {
      this.unknownPaths.set(path, performance.now())
      return undefined
    }
    if (/not found/i.test(log)) return undefined
    throw queryRefused(path, code, codespace, log)
  }
}

async function ask(
  endpoint: RpcEndpoint,
  question: { path: string; data: Uint8Array; height?: number },
  atLeast: number,
): Promise<Answer> {
  await endpoint.assertCaughtUp()
  const answer: Answer = await endpoint.ask((client) => client.abciQuery({ ...question, prove: false }))
  endpoint.saw(answer.height)
  await assertKnows(endpoint, answer, atLeast)
  return answer
}

const isSameAnswer = (one: Answer, other: Answer): boolean =>
  (one.code ?? 0) === (other.code ?? 0) && Buffer.from(one.value).equals(other.value)

/** Responses without a value come without a height. */
async function assertKnows(endpoint: RpcEndpoint, { height = 0 }: Answer, atLeast: number): Promise<void> {
  if (height >= atLeast || atLeast === 0) return
  if (height === 0 && endpoint.height < atLeast) {
    await endpoint.status()
    if (endpoint.height >= atLeast) throw new BehindError('it was behind what is known')
  }
  if (height === 0 && endpoint.height >= atLeast) return
  throw new BehindKnownError('it is behind what is known')
}
