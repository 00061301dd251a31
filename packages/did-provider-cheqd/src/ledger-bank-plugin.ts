import {
  inCheq,
  AgentError,
  BOUNDS,
  gauge,
  isAccountAddress,
  isPointInTime,
  NO_TIME,
  parseOptions,
  PAYMENTS_SCOPE,
  pluginSchema,
  requireNetwork,
  requireScope,
  type AuditTrail,
  type HasMeasurements,
  type ILedgerBank,
  type LedgerTransfer,
  type LedgerTransferArgs,
  type LedgerTransferQuery,
  type Measurement,
  type NumberSample,
} from '@vidimus/core-types'
import { formatCoins, parseCoins, type Ledger, type LedgerBank, type LedgerPayment } from '@vidimus/ledger'
import type { IAgentPlugin } from '@veramo/core-types'
import { z } from 'zod'
import { AuditTrailOption } from './audit-option.js'
import { askLedger, LedgerList, LedgersByNetwork } from './ledgers-by-network.js'
import { FEES_LIMIT } from './measurements.js'
import { parseInput } from './parse-input.js'

export interface LedgerBankPluginOptions {
  /** one for each network on which something can be paid */
  ledgers: Ledger[]
  /** where payments are written down */
  audit?: AuditTrail
}

export const Options = z.strictObject({ ledgers: LedgerList, audit: AuditTrailOption })

const Did = z.string('must be a string')
const Address = z
  .string('must be a string')
  .refine(isAccountAddress, 'must be the address of an account (cheqd1...) with a checksum that fits')
const Memo = z
  .string('must be a string')
  .refine(
    (memo) => Buffer.byteLength(memo) <= BOUNDS.memoBytes,
    `must have ${BOUNDS.memoBytes} bytes at most`,
  )
const Amount = z.string('must be a string').transform((text, context) => {
  const ncheq = parseCoins(text)
  if (ncheq !== undefined) return ncheq
  context.addIssue({ code: 'custom', message: 'must be <n>ncheq, with n below 2^63' })
  return z.NEVER
})
const Time = z.iso.datetime({ offset: true, error: NO_TIME, abort: true }).refine(isPointInTime, NO_TIME)

const TransferArguments = z.strictObject({
  did: Did,
  to: Address,
  amount: Amount.refine((ncheq) => ncheq > 0n, 'must be more than 0ncheq'),
  memo: Memo,
})
const TransferQuery = z.strictObject({
  did: Did,
  to: Address,
  memo: Memo.optional(),
  amount: Amount.optional(),
  notBefore: Time.transform((time) => new Date(time)).optional(),
})
const BalanceArguments = z.strictObject({ did: Did, address: Address })
const FeeLimitArguments = z.strictObject({ did: Did })
const Transfer = z.object({
  txHash: z.string(),
  time: z.string(),
  from: z.string(),
  to: z.string(),
  amount: z.string(),
  memo: z.string(),
})

/**
 * Agent plugin: payments on the ledgers of did:cheqd. An agent without it pays nothing, whatever its ledgers can.
 *
 * Methods throw AgentError `invalid_input` with every problem of their arguments, `did_not_resolvable` for a network
 * without a configured ledger, `ledger_unavailable` for one without money, and otherwise what their interface says. Who
 * comes with a limited API key needs the scope `payments` and the right for the network to pay (`forbidden`).
 */
export class LedgerBankPlugin implements IAgentPlugin, HasMeasurements {
  readonly methods: ILedgerBank
  readonly schema = pluginSchema({
    ledgerTransfer: {
      description: 'Pays from the payer of the ledger on which the DID lives',
      arguments: TransferArguments,
      returns: Transfer,
    },
    ledgerTransfers: {
      description: 'Lists payments to an account of the ledger, newest first, at most 100',
      arguments: TransferQuery,
      returns: z.array(Transfer),
    },
    ledgerBalance: {
      description: 'Tells what an account of the ledger has',
      arguments: BalanceArguments,
      returns: z.object({ amount: z.string() }),
    },
    ledgerFeeLimit: {
      description: 'Tells the most that the payer of a ledger pays in fees within a day, for all accounts',
      arguments: FeeLimitArguments,
      returns: z.object({ perDay: z.string().optional() }),
    },
  })
  readonly measurements: readonly Measurement[]
  private readonly ledgers: LedgersByNetwork
  private readonly audit: AuditTrail | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(options: LedgerBankPluginOptions) {
    const { ledgers, audit } = parseOptions(Options, options)
    this.ledgers = new LedgersByNetwork(ledgers)
    this.audit = audit
    this.measurements = [gauge(FEES_LIMIT, () => ledgers.flatMap(feeLimit))]
    this.methods = {
      ledgerTransfer: this.ledgerTransfer.bind(this),
      ledgerTransfers: this.ledgerTransfers.bind(this),
      ledgerBalance: this.ledgerBalance.bind(this),
      ledgerFeeLimit: this.ledgerFeeLimit.bind(this),
    }
  }

  private async ledgerTransfer(args: LedgerTransferArgs): Promise<LedgerTransfer> {
    const { did, ...payment } = parseInput(TransferArguments, args)
    requireScope(PAYMENTS_SCOPE)
    requireNetwork(this.ledgers.locate(did).network)
    const transfer = toTransfer(await askLedger(this.bankOf(did).pay(payment)))
    const detail = `${transfer.amount} to ${transfer.to} for ${did}`
    await this.audit?.record({ event: 'payment-made', subject: transfer.txHash, detail })
    return transfer
  }

  private async ledgerTransfers(args: LedgerTransferQuery): Promise<LedgerTransfer[]> {
    const { did, to, memo, amount, notBefore } = parseInput(TransferQuery, args)
    const query = {
      to,
      ...(memo !== undefined && { memo }),
      ...(amount !== undefined && { amount }),
      ...(notBefore && { notBefore }),
    }
    return (await askLedger(this.bankOf(did).findPayments(query))).map(toTransfer)
  }

  private async ledgerBalance(args: { did: string; address: string }): Promise<{ amount: string }> {
    const { did, address } = parseInput(BalanceArguments, args)
    return { amount: formatCoins(await askLedger(this.bankOf(did).balanceOf(address))) }
  }

  private ledgerFeeLimit(args: { did: string }): Promise<{ perDay?: string }> {
    const { did } = parseInput(FeeLimitArguments, args)
    const { maxFeesPerDay } = this.ledgers.locate(did).ledger.bank ?? {}
    return Promise.resolve(maxFeesPerDay === undefined ? {} : { perDay: formatCoins(maxFeesPerDay) })
  }

  private bankOf(did: string): LedgerBank {
    const { network, ledger } = this.ledgers.locate(did)
    if (ledger.bank) return ledger.bank
    throw new AgentError('ledger_unavailable', `the ledger of ${network} is configured without money`)
  }
}

const feeLimit = ({ network, bank }: Ledger): NumberSample[] =>
  bank?.maxFeesPerDay === undefined ? [] : [{ labels: [network], value: inCheq(bank.maxFeesPerDay) }]

const toTransfer = ({ txHash, time, from, to, amount, memo }: LedgerPayment): LedgerTransfer => ({
  txHash,
  time: time.toISOString(),
  from,
  to,
  amount: formatCoins(amount),
  memo,
})
