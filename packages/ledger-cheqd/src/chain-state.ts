import { whoeverWaits } from '@vidimus/core-types'
import { queryRefused } from './failures.js'
import { BehindError, type RpcEndpoint } from './rpc-endpoint.js'
import type { RpcEndpoints } from './rpc-endpoints.js'

const LACKS_FOR_MS = 60 * 60 * 1000

/** What encodes a request and decodes its answer. */
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
  /** what this process has written stands in this block, so that older states are no answers */
  writtenHeight = 0
  private readonly underWay = new Map<string, Promise<Uint8Array | undefined>>()
  /** when a query was found to be missing */
  private readonly unknownPaths = new Map<string, number>()

  constructor(private readonly endpoints: RpcEndpoints) {}

  /** A message of this process, or a change that it knows of, stands in a block. */
  wrote(height: number): void {
    this.writtenHeight = Math.max(this.writtenHeight, height)
  }

  /** Whether the chain is known to lack the query; its next version may have it. */
  lacks(path: string): boolean {
    const since = this.unknownPaths.get(path)
    return since !== undefined && performance.now() - since < LACKS_FOR_MS
  }

  /**
   * One query; callers who ask the same at the same moment share it.
   *
   * @param atLeast - the block whose state has to be known, beside what was written
   * @returns `undefined` where the chain does not have what was asked for, or not the query
   * @throws LedgerError
   */
  async query<Q, A>(
    path: string,
    [request, response]: [Codec<Q>, Codec<A>],
    question: Q,
    atLeast = 0,
  ): Promise<A | undefined> {
    const bytes = request.encode(question).finish()
    const height = Math.max(atLeast, this.writtenHeight)
    const key = `${height} ${path} ${Buffer.from(bytes).toString('base64')}`
    let asking = this.underWay.get(key)
    if (!asking) {
      asking = whoeverWaits(() => this.ask(path, bytes, height)).finally(() => this.underWay.delete(key))
      this.underWay.set(key, asking)
    }
    const value = await asking
    return value && response.decode(value)
  }

  private ask(path: string, data: Uint8Array, atLeast: number): Promise<Uint8Array | undefined> {
    return this.endpoints.ask(async (endpoint) => {
      await endpoint.assertCaughtUp()
      const answer: Answer = await endpoint.ask((client) => client.abciQuery({ path, data, prove: false }))
      endpoint.saw(answer.height)
      await assertKnows(endpoint, answer, atLeast)
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

/** Answers without a value come without a height. */
async function assertKnows(endpoint: RpcEndpoint, { height = 0 }: Answer, atLeast: number): Promise<void> {
  if (height >= atLeast || atLeast === 0) return
  if (height === 0 && endpoint.height < atLeast) {
    await endpoint.status()
    if (endpoint.height >= atLeast) throw new BehindError('it was behind what was written')
  }
  if (height === 0 && endpoint.height >= atLeast) return
  throw new BehindError('it is behind what was written')
}
