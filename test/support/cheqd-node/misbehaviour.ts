import type { Transaction } from './transaction.js'

/** What a fault may be confined to. */
export interface Occasion {
  /** of the JSON-RPC, or `include` and `deliver` for what happens to a transaction in a block */
  method: string
  /** of an `abci_query` */
  path?: string
  /** where one is broadcast, included or delivered */
  transaction?: Transaction
}

/** Every way to misbehave, with what can be said about it. */
export interface Faults {
  /** The connection ends before the request is looked at. */
  dropRequest: object
  /** The request is carried out, then the connection ends without an answer. */
  loseResponse: object
  /** The request is carried out twice; the second answer is sent. */
  deliverTwice: object
  /** The request is never looked at and the connection stays open. */
  stallRequest: object
  /** The request is carried out and the connection stays open without an answer. */
  stallResponse: object
  /** 429, `retryAfter` in seconds */
  limitRate: { retryAfter?: number }
  /** 503 */
  unavailable: { retryAfter?: number }
  /** The page of a proxy, with status 200, in place of carrying out the request. */
  answerHtml: object
  answerInvalidJson: object
  /** The body ends in its middle, and with it the connection. */
  truncateAnswer: object
  /** An answer to another request than the one that was sent. */
  answerWrongId: object
  /** `status` tells of another chain. */
  claimChainId: { chainId: string }
  /** `status` says that the node is catching up, from a block that is so old. */
  catchUp: { behindSeconds?: number }
  /** The check of a transaction finds its sequence wrong although it is right. */
  refuseSequence: object
  /** The mempool says that it is full. */
  refuseAsFull: object
  /** A transaction runs out of gas when it is delivered. */
  runOutOfGas: object
  /** The check or the delivery of a transaction fails in any other way. */
  refuseTransaction: { at: 'check' | 'deliver'; codespace: string; code: number; log: string }
  /** A transaction is taken, but the mempool forgets it before the next block. */
  forgetTransaction: object
  /** A transaction stays in the mempool, and those behind it; each block without it counts. */
  holdTransaction: object
}

export type FaultKind = keyof Faults

export type FaultOptions<Kind extends FaultKind> = Faults[Kind] & {
  /** how often; until it is stopped where it is left out */
  times?: number
  when?: (occasion: Occasion) => boolean
}

/** A fault that was ordered. */
export interface Fault {
  /** how often it has struck */
  readonly struck: number
  stop(): void
}

interface Ordered {
  kind: FaultKind
  options: FaultOptions<FaultKind>
  struck: number
}

/** The faults of one endpoint. Each looks by itself whether an occasion is one of its own. */
export class Misbehaviour {
  private ordered: Ordered[] = []

  order<Kind extends FaultKind>(kind: Kind, options: FaultOptions<Kind>): Fault {
    const fault: Ordered = { kind, options, struck: 0 }
    this.ordered.push(fault)
    return {
      get struck() {
        return fault.struck
      },
      stop: () => {
        this.ordered = this.ordered.filter((other) => other !== fault)
      },
    }
  }

  stopAll(): void {
    this.ordered = []
  }

  /** Whether a fault of that kind strikes, and with what options. */
  strike<Kind extends FaultKind>(kind: Kind, ...occasions: Occasion[]): FaultOptions<Kind> | undefined {
    const found = this.ordered.find(
      (fault) => fault.kind === kind && isLeft(fault) && occasions.some((one) => isMeant(fault, one)),
    )
    if (!found) return undefined
    found.struck += 1
    return found.options as FaultOptions<Kind>
  }

  /** The refusal that was ordered for a transaction at that place. */
  strikeTransaction(
    at: 'check' | 'deliver',
    transaction: Transaction,
  ): Faults['refuseTransaction'] | undefined {
    const occasion = { method: at, transaction }
    const found = this.ordered.find(
      (fault) =>
        fault.kind === 'refuseTransaction' &&
        (fault.options as Faults['refuseTransaction']).at === at &&
        isLeft(fault) &&
        isMeant(fault, occasion),
    )
    if (!found) return undefined
    found.struck += 1
    return found.options as Faults['refuseTransaction']
  }
}

const isLeft = ({ struck, options }: Ordered) => struck < (options.times ?? Infinity)
const isMeant = ({ options }: Ordered, occasion: Occasion) => options.when?.(occasion) ?? true
