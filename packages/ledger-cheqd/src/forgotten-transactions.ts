import { AFTER_RESTORE, AgentError, log } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import type { Network } from '@vidimus/ledger'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { findAccount } from './accounts.js'
import type { ChainNode, ExecutedTransaction } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import { isLedgerError } from './is-ledger-error.js'
import { countOf, type SentBefore, type SentCounts } from './sent-counts.js'

/** A payer that others use as well is looked at so far back, one request for each transaction. */
const MOST_LOOKED_AT = 25
/** A start waits no longer for the network. */
const LOOK_MS = 5_000

interface ForgottenParts {
  network: Network
  database: Database
  counts: SentCounts
  state: ChainState
  node: ChainNode
}

/** The newest transaction of ours on the chain, or why it is not known. */
interface Look {
  newest?: { hash: string; number: number }
  unknown?: string
}

/**
 * Transactions of this installation that the chain has executed and the database does not know: it was restored from a backup.
 * Only what carries the mark of the installation counts, so that a payer may be used elsewhere as well.
 */
export class ForgottenTransactions {
  constructor(private readonly parts: ForgottenParts) {}

  /** At a start, which what cannot be looked at does not keep from going on. @returns the beginning of a sentence */
  async notice(): Promise<string | undefined> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no answer within ${LOOK_MS} ms`)), LOOK_MS).unref()
    })
    try {
      return await Promise.race([this.find(), late])
    } catch (error) {
      this.tell('the network does not answer', error)
      return undefined
    }
  }

  /** Before anything is signed. @throws AgentError `version_conflict` */
  async assertNone(): Promise<void> {
    const found = await this.find().catch((error: unknown) => {
      if (!isLedgerError(error)) throw error
      // Whoever sends needs the network in any case, though not its index.
      this.tell('the network does not answer', error)
      return undefined
    })
    if (found !== undefined) throw new AgentError('version_conflict', `${found}: ${AFTER_RESTORE}`)
  }

  /** They are known from now on. @throws LedgerError if the network cannot be asked */
  async accept(): Promise<void> {
    const { database, counts, state } = this.parts
    for (const before of await counts.read(database)) {
      const account = await findAccount(state, before.payer)
      const { newest } = await this.look(before)
      const number = Math.max(before.number, newest?.number ?? 0)
      await database.write((write) => counts.skip(write, { ...before, number }, account?.sequence ?? 0))
    }
  }

  private async find(): Promise<string | undefined> {
    const { database, counts, network } = this.parts
    for (const before of await counts.read(database)) {
      const { newest, unknown } = await this.look(before)
      if (unknown !== undefined) this.tell(unknown)
      if (!newest) continue
      // In this order, as another process may be sending.
      const [now] = await counts.read(database, [before.payer])
      if (now && newest.number > now.number)
        return `the network ${network} is ahead of the database, which does not know transaction ${newest.hash}`
    }
    return undefined
  }

  private async look({ payer, mark, executed }: SentBefore): Promise<Look> {
    const { state, node } = this.parts
    const account = await findAccount(state, payer)
    const newest = (account?.sequence ?? 0) - 1
    if (newest <= executed) return {}
    if (!(await node.status()).isIndexed) return { unknown: 'the node has no transaction index (tx_index)' }
    for (let sequence = newest; sequence > executed; sequence -= 1) {
      if (newest - sequence >= MOST_LOOKED_AT)
        return { unknown: `the newest ${MOST_LOOKED_AT} transactions of ${payer} are from elsewhere` }
      const transaction = await node.withSequence(payer, sequence)
      const count = transaction && countOf(memoOf(transaction))
      if (count?.mark === mark) return { newest: { hash: transaction?.hash ?? '', number: count.number } }
    }
    return {}
  }

  private tell(why: string, error?: unknown): void {
    const { network } = this.parts
    log(
      'warn',
      `whether the network is ahead of the database could not be checked: ${why}`,
      { network },
      error,
    )
  }
}

const memoOf = ({ bytes }: ExecutedTransaction): string => TxBody.decode(TxRaw.decode(bytes).bodyBytes).memo
