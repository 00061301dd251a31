import { Comet1Client, Comet38Client, Tendermint37Client, type CometClient } from '@cosmjs/tendermint-rpc'
import { JsonRpc, RequestTooLargeError, RpcError, TransportError } from './json-rpc.js'

const KNOWN = [TransportError, RpcError, RequestTooLargeError]
const LONGEST_PAUSE_MS = 60_000

type StatusResponse = Awaited<ReturnType<CometClient['status']>>

/** The node does not have the blocks yet that the response must include. */
export class BehindError extends Error {
  override readonly name = 'BehindError'
}

/** A node that takes itself for caught up, and has not the blocks that were known. */
export class BehindKnownError extends BehindError {}

/** One node. Nothing is requested before it is used. */
export class RpcEndpoint {
  /** the newest block that it is known to have */
  height = 0
  /** its blocks are old, and its state with them */
  private catchingUp = false
  /** not to be asked before, by the clock of {@link performance} */
  leftAloneUntil = 0
  private failures = 0
  private client: Promise<CometClient> | undefined
  private readonly rpc: JsonRpc

  constructor(
    url: string,
    private readonly options: {
      chainId: string
      timeoutMs: number
      leaveAloneMs: number
      maxAnswerBytes: number
    },
  ) {
    this.rpc = new JsonRpc(url, options.timeoutMs, options.maxAnswerBytes)
  }

  get host(): string {
    return this.rpc.host
  }

  /**
   * Queries it, after checking its chain and its protocol.
   *
   * @throws TransportError if it is not a node of the chain or does not respond; RpcError
   */
  async ask<T>(question: (client: CometClient) => Promise<T>): Promise<T> {
    try {
      this.client ??= this.connect()
      const answer = await readable(question(await this.client))
      this.failures = 0
      return answer
    } catch (error) {
      if (error instanceof TransportError) this.leaveAlone(error)
      throw error
    }
  }

  saw(height: number | undefined): void {
    this.height = Math.max(this.height, height ?? 0)
  }

  /** @throws TransportError, RpcError */
  async status(): Promise<StatusResponse> {
    const status = await this.ask((client) => client.status())
    this.sawStatus(status)
    return status
  }

  /** @throws BehindError if it only has old blocks; TransportError, RpcError */
  async assertCaughtUp(): Promise<void> {
    if (!this.client || this.catchingUp) await this.status()
    if (this.catchingUp) throw new BehindError('it is catching up with the chain')
  }

  private sawStatus({ syncInfo }: StatusResponse): void {
    this.saw(syncInfo.latestBlockHeight)
    this.catchingUp = syncInfo.catchingUp
  }

  /** After a failure another node may respond at the address, so it is checked again. */
  private leaveAlone({ retryAfterMs }: TransportError): void {
    this.client = undefined
    const pause = retryAfterMs ?? this.options.leaveAloneMs * 2 ** Math.min(this.failures++, 10)
    this.leftAloneUntil = performance.now() + Math.min(pause, LONGEST_PAUSE_MS)
  }

  private async connect(): Promise<CometClient> {
    const first = Tendermint37Client.create(this.rpc)
    const status = await readable(first.status())
    const { nodeInfo } = status
    const { chainId } = this.options
    if (nodeInfo.network !== chainId) {
      throw new TransportError(`it belongs to the chain "${nodeInfo.network}", not to "${chainId}"`)
    }
    this.sawStatus(status)
    if (nodeInfo.version.startsWith('0.38.')) return Comet38Client.create(this.rpc)
    if (nodeInfo.version.startsWith('1.')) return Comet1Client.create(this.rpc)
    return first
  }
}

/** What the client cannot decode is not a node's response. */
async function readable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (KNOWN.some((known) => error instanceof known)) throw error
    throw new TransportError('its answer cannot be read', undefined, { cause: error })
  }
}
