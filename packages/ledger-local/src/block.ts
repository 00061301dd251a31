import { LedgerError, type Network } from '@vidimus/ledger'
import type { Connection, Sql } from '@vidimus/database'

/** Reads committed rows, or those of the running transaction; its results must not be modified. */
export interface Read {
  query<Row>(statement: Sql): Promise<readonly Row[]>
}
/** The running transaction. */
export type Write = Connection

/** Transactions in which a message was sent already, which those after it must see. */
const BEGUN = new WeakSet<Write>()

/** Reads in a transaction what a message depends on; other tables are read without sending pending writes. */
export const readingIn = (write: Write): Read => ({
  query: (statement) => (BEGUN.has(write) ? write.query(statement) : write.queryApart(statement)),
})

/** From now on there is something in the transaction that the ledger has sent. */
export const noteSent = (write: Write): void => void BEGUN.add(write)

/** How far something has come that counts its own blocks: a DID with its resources, or the money of a network. */
export interface Place {
  height: number
  time: Date
}

/** The place of one message in the history of its DID, or of one payment. */
export interface Block extends Place {
  network: Network
}

/** One more than the block before, and later. */
export const blockAfter = (network: Network, before: Place | undefined, now: Date): Block =>
  before
    ? {
        network,
        height: before.height + 1,
        time: new Date(Math.max(now.getTime(), before.time.getTime() + 1)),
      }
    : { network, height: 1, time: now }

/** Another writer was faster; the same call may succeed after reading again. */
export const conflict = (message: string, cause?: unknown): LedgerError =>
  new LedgerError(message, {
    codespace: 'vidimus',
    code: 1,
    phase: 'conflict',
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
  })
