import type { Chain } from './chain.js'
import type { Message } from './transaction.js'

/** A message in a transaction of a block. */
export interface SentMessage {
  /** the same wherever the same message was sent: see `identityOf` */
  identity: string
  message: Message
  txHash: string
  height: number
  executed: boolean
}

/** What came to a chain, for assertions. */
export class ChainHistory {
  constructor(private readonly chain: Chain) {}

  get height(): number {
    return this.chain.height
  }

  get blocks(): Chain['blocks'] {
    return this.chain.blocks
  }

  /** in the order of their blocks, those that failed too */
  get transactions(): Chain['transactions'] {
    return this.chain.transactions
  }

  /** in the order of their transactions */
  get messages(): SentMessage[] {
    return this.chain.transactions.flatMap(({ transaction, height, result }) =>
      transaction.messages.map((message) => ({
        identity: message.identity,
        message,
        txHash: transaction.hash,
        height,
        executed: result.code === 0,
      })),
    )
  }

  /** What was executed more than once, or tried again after it was executed. */
  get sentTwice(): SentMessage[] {
    const executed = new Set<string>()
    return this.messages.filter((sent) => {
      const again = executed.has(sent.identity)
      if (sent.executed) executed.add(sent.identity)
      return again
    })
  }

  /** What came into more than one block, for whatever reason: a failed transaction's messages go again. */
  get repeated(): SentMessage[] {
    const seen = new Set<string>()
    return this.messages.filter(({ identity }) => {
      const again = seen.has(identity)
      seen.add(identity)
      return again
    })
  }
}
