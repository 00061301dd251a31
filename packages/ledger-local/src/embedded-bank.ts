import { createHash } from 'node:crypto'
import { BOUNDS, isAccountAddress, queueName, whoeverWaits, type QueueName } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import {
  demandHandOver,
  formatCoins,
  isAmount,
  LedgerError,
  type LedgerBank,
  type LedgerPayment,
  type LedgerPaymentQuery,
  type Network,
} from '@vidimus/ledger'
import {
  addToBalance,
  appendPayment,
  findPayments,
  openPaymentBlock,
  readBalance,
  seedAccount,
} from './bank-tables.js'
import type { Write } from './block.js'
import { toLedgerError } from './ledger-failure.js'

type Transfer = Pick<LedgerPayment, 'from' | 'to' | 'amount' | 'memo'>

/** Every payment writes the row of its network: see `Database.write`. */
const moneyLane = (network: Network): QueueName => queueName('money', network)

/** The table with the balances of one ledger. */
interface BankPlace {
  network: Network
  database: Database
  now: () => Date
}

/** Amounts are in ncheq. */
export interface EmbeddedMoney {
  payer?: string | undefined
  balances: Readonly<Record<string, bigint>>
  maxFeesPerDayCheq?: bigint | undefined
}

/**
 * The money of an embedded ledger. It exists only in this installation; the bank ensures that no account spends what
 * it does not have, and that money only comes and goes by the configuration.
 */
export class EmbeddedBank implements LedgerBank {
  readonly payer: string | undefined
  readonly maxFeesPerDay: bigint | undefined
  private readonly balances: ReadonlyMap<string, bigint>
  private seeding: Promise<void> | undefined

  /** @param balances - in ncheq, by address */
  constructor(
    private readonly place: BankPlace,
    { payer, balances, maxFeesPerDayCheq }: EmbeddedMoney,
  ) {
    this.payer = payer
    this.maxFeesPerDay = maxFeesPerDayCheq
    this.balances = new Map(Object.entries(balances))
  }

  async balanceOf(address: string): Promise<bigint> {
    await this.seed()
    return readBalance(this.place.database, this.place.network, address)
  }

  /**
   * @throws LedgerError with the codes of cosmos-sdk: `sdk` 5 if the balance does not suffice, 7 for an invalid
   *   recipient, 9 without a payer, 10 for an invalid amount, 12 for a memo of more than 256 bytes; of phase
   *   `transport` (`vidimus` 2) if the database fails
   */
  async pay({ handOver, ...payment }: Parameters<LedgerBank['pay']>[0]): Promise<LedgerPayment> {
    const from = this.payer
    if (from === undefined) throw refused(9, `the ledger of ${this.place.network} has no payer`)
    const transfer = { from, ...payment }
    checkTransfer(transfer)
    await this.seed()
    try {
      const { database, network } = this.place
      const work = async (write: Write) => {
        await demandHandOver({ handOver }, database, write)
        return this.transfer(write, transfer)
      }
      return await database.write(work, { lane: moneyLane(network) })
    } catch (error) {
      throw toLedgerError(error)
    }
  }

  findPayments(query: LedgerPaymentQuery): Promise<LedgerPayment[]> {
    return findPayments(this.place.database, this.place.network, query)
  }

  private async transfer(write: Write, transfer: Transfer): Promise<LedgerPayment> {
    const { network } = this.place
    const { from, to, amount } = transfer
    const block = await openPaymentBlock(write, network, this.place.now())
    const balance = await readBalance(write, network, from)
    if (balance < amount) {
      throw refused(5, `${from} has ${formatCoins(balance)}, less than ${formatCoins(amount)}`, 'deliver')
    }
    await addToBalance(write, network, from, -amount)
    await addToBalance(write, network, to, amount)
    const { height, time } = block
    const payment = { txHash: transferHash(network, height, transfer), height, time, ...transfer }
    await appendPayment(write, block, payment)
    return payment
  }

  /** Once for every account, whichever process is first; retried if it failed. */
  private seed(): Promise<void> {
    this.seeding ??= whoeverWaits(() => this.seedAccounts()).catch((error: unknown) => {
      this.seeding = undefined
      throw toLedgerError(error)
    })
    return this.seeding
  }

  private async seedAccounts(): Promise<void> {
    const { database, network } = this.place
    const seed = async (write: Write) => {
      for (const [address, ncheq] of this.balances) await seedAccount(write, network, address, ncheq)
    }
    await database.write(seed, { lane: moneyLane(network) })
  }
}

/** @throws LedgerError for what no ledger would take, whatever the balances are */
function checkTransfer({ to, amount, memo }: Transfer): void {
  if (!isAccountAddress(to)) throw refused(7, `"${to}" is not the address of an account`)
  if (amount <= 0n || !isAmount(amount)) throw refused(10, `${formatCoins(amount)} cannot be paid`)
  const bytes = Buffer.byteLength(memo)
  if (bytes > BOUNDS.memoBytes)
    throw refused(12, `the memo has ${bytes} bytes, more than ${BOUNDS.memoBytes}`)
}

const refused = (code: number, message: string, phase: 'check' | 'deliver' = 'check'): LedgerError =>
  new LedgerError(message, { codespace: 'sdk', code, phase })

/** The height makes it unique among equal payments. */
const transferHash = (network: Network, height: number, { from, to, amount, memo }: Transfer): string =>
  createHash('sha256')
    .update(JSON.stringify(['payment', network, height, from, to, formatCoins(amount), memo]))
    .digest('hex')
    .toUpperCase()
