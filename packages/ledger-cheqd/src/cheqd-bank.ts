import { BOUNDS, isAccountAddress } from '@vidimus/core-types'
import {
  formatCoins,
  isAmount,
  type LedgerBank,
  type LedgerPayment,
  type LedgerPaymentQuery,
  type MeasuredSubmission,
} from '@vidimus/ledger'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { balanceOf } from './accounts.js'
import type { ChainNode, ExecutedTransaction } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import { noPayer, onItsWay, refusedBySdk } from './failures.js'
import type { Outbox } from './outbox.js'
import type { OutboxRows } from './outbox-rows.js'
import type { Payer, PayerAccount } from './payer.js'

const SEND = '/cosmos.bank.v1beta1.MsgSend'
const MOST_FOUND = 100
/** The most transactions that are searched, newest first. */
const PAGES = 10

export interface BankParts {
  network: string
  state: ChainState
  node: ChainNode
  outbox: Outbox
  rows: Pick<OutboxRows, 'mayBePaid'>
  /** absent: nothing can be paid */
  payer?: PayerAccount
  /** @throws LedgerError if the gas of a payment costs more than is allowed */
  assertAffordable(payer: Payer, message: Uint8Array): Promise<unknown>
  submission: MeasuredSubmission
  /** in ncheq */
  maxFeesPerDay?: bigint | undefined
}

type Transfer = Pick<LedgerPayment, 'from' | 'to' | 'amount' | 'memo'>

/** The money of the chain. */
export class CheqdBank implements LedgerBank {
  constructor(private readonly parts: BankParts) {}

  get payer(): string | undefined {
    return this.parts.payer?.known?.address
  }

  get maxFeesPerDay(): bigint | undefined {
    return this.parts.maxFeesPerDay
  }

  /** @throws LedgerError of phase `transport` */
  balanceOf(address: string): Promise<bigint> {
    return balanceOf(this.parts.state, address)
  }

  /**
   * @throws LedgerError with the codes of cosmos-sdk: `sdk` 5 if the balance does not suffice, 7 for an invalid
   *   recipient, 9 without a payer, 10 for an invalid amount, 12 for a memo of more than 256 bytes; of phase
   *   `transport` or `timeout` if it may still be paid
   */
  async pay({ to, amount, memo, ...guard }: Parameters<LedgerBank['pay']>[0]): Promise<LedgerPayment> {
    const { payer: account, outbox, node, network } = this.parts
    if (!account) throw noPayer(network)
    const payer = await account.open()
    const from = payer.address
    checkTransfer({ to, amount, memo })
    const send = { fromAddress: from, toAddress: to, amount: [{ denom: 'ncheq', amount: String(amount) }] }
    const message = Any.encode({ typeUrl: SEND, value: MsgSend.encode(send).finish() }).finish()
    await this.parts.assertAffordable(payer, message)
    const subject = to
    const place = { subject, slot: null, expectedPrevious: null }
    const payment = { kind: 'payment' as const, ...place, memo, message, ...guard }
    const { txHash, height } = await this.parts.submission.run('payment', () => outbox.submit(from, payment))
    return { txHash, height, time: await node.timeOf(height), from, to, amount, memo }
  }

  /** @throws LedgerError of phase `transport`, also while the outbox has one with the memo that no node finds yet */
  async findPayments(query: LedgerPaymentQuery): Promise<LedgerPayment[]> {
    const found = await this.paymentsInBlocks(query)
    const { to, memo } = query
    // In this order: it may get its block between the two looks.
    if (found.length === 0 && memo !== undefined && (await this.parts.rows.mayBePaid(to, memo)))
      throw onItsWay(`the payment ${memo}`)
    return found
  }

  private async paymentsInBlocks(query: LedgerPaymentQuery): Promise<LedgerPayment[]> {
    const { to, memo, amount, notBefore } = query
    const { node } = this.parts
    const found: LedgerPayment[] = []
    const times = new Map<number, Date>()
    for (let page = 1; page <= PAGES; page++) {
      const transactions = await node.transfersTo(to, page, MOST_FOUND)
      for (const transaction of transactions) {
        for (const transfer of readTransfers(transaction)) {
          if (transfer.to !== to || (memo !== undefined && transfer.memo !== memo)) continue
          if (amount !== undefined && transfer.amount !== amount) continue
          const { hash: txHash, height } = transaction
          const time = times.get(height) ?? (await node.timeOf(height))
          times.set(height, time)
          // They come newest first.
          if (notBefore && time < notBefore) return found
          found.push({ txHash, height, time, ...transfer })
          if (found.length >= MOST_FOUND) return found
        }
      }
      if (transactions.length < MOST_FOUND) break
    }
    return found
  }
}

/** @throws LedgerError for what no ledger would take, whatever the balances are */
function checkTransfer({ to, amount, memo }: Omit<Transfer, 'from'>): void {
  if (!isAccountAddress(to)) throw refusedBySdk(7, `"${to}" is not the address of an account`)
  if (amount <= 0n || !isAmount(amount)) throw refusedBySdk(10, `${formatCoins(amount)} cannot be paid`)
  const bytes = Buffer.byteLength(memo)
  if (bytes > BOUNDS.memoBytes)
    throw refusedBySdk(12, `the memo has ${bytes} bytes, more than ${BOUNDS.memoBytes}`)
}

/** What a transaction has moved; transfers of other modules are ignored. */
function readTransfers({ code, bytes }: ExecutedTransaction): Transfer[] {
  if (code !== 0) return []
  const { messages, memo } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
  return messages.flatMap(({ typeUrl, value }) => {
    if (typeUrl !== SEND) return []
    const { fromAddress, toAddress, amount } = MsgSend.decode(value)
    const [coin, ...others] = amount
    if (coin?.denom !== 'ncheq' || others.length > 0) return []
    return [{ from: fromAddress, to: toAddress, amount: BigInt(coin.amount), memo }]
  })
}
