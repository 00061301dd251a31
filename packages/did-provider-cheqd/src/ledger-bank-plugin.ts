import {
  inCheq,
  AgentError,
  formatCoins,
  handOverOf,
  gauge,
  ncheqIn,
  parseOptions,
  pluginSchema,
  requireNetwork,
  requireEffect,
  type HasMeasurements,
  type ILedgerBank,
  type LedgerTransfer,
  type LedgerTransferArgs,
  type LedgerTransferQuery,
  type Measurement,
  type NumberSample,
} from '@vidimus/core-types'
import { ledgerBankMethods } from '@vidimus/core-types/schemas'
import type { Ledger, LedgerBank, LedgerPayment } from '@vidimus/ledger'
import type { IAgentPlugin } from '@veramo/core-types'
import { z } from 'zod'
import { askLedger, LedgerList, LedgersByNetwork } from './ledgers-by-network.js'
import { FEES_LIMIT } from './measurements.js'
import { parseInput } from './parse-input.js'

export interface LedgerBankPluginOptions {
  /** one for each network on which something can be paid */
  ledgers: Ledger[]
}

export const Options = z.strictObject({ ledgers: LedgerList })

/**
 * Agent plugin: payments on the ledgers of did:cheqd. An agent without it pays nothing, whatever its ledgers support.
 *
 * Methods throw AgentError `invalid_input` with every problem of their arguments, `did_not_resolvable` for a network
 * without a configured ledger, `ledger_unavailable` for one without money, and otherwise as their interfaces state. A
 * caller with a limited API key needs the scope `payments` and the right for the network to pay (`forbidden`).
 */
export class LedgerBankPlugin implements IAgentPlugin, HasMeasurements {
  readonly methods: ILedgerBank
  readonly schema = pluginSchema(ledgerBankMethods)
  readonly measurements: readonly Measurement[]
  private readonly ledgers: LedgersByNetwork

  /** @throws AgentError `invalid_configuration` */
  constructor(options: LedgerBankPluginOptions) {
    const { ledgers } = parseOptions(Options, options)
    this.ledgers = new LedgersByNetwork(ledgers)
    this.measurements = [gauge(FEES_LIMIT, () => ledgers.flatMap(feeLimit))]
    this.methods = {
      ledgerTransfer: this.ledgerTransfer.bind(this),
      ledgerTransfers: this.ledgerTransfers.bind(this),
      ledgerBalance: this.ledgerBalance.bind(this),
      ledgerFeeLimit: this.ledgerFeeLimit.bind(this),
    }
  }

  private async ledgerTransfer(args: LedgerTransferArgs): Promise<LedgerTransfer> {
    const { did, to, amount, memo } = parseInput(ledgerBankMethods.ledgerTransfer.arguments, args)
    requireEffect('spend')
    requireNetwork(this.ledgers.locate(did).network)
    const payment = { to, amount: ncheqIn(amount), memo, ...handOverOf(args) }
    return toTransfer(await askLedger(this.bankOf(did).pay(payment)))
  }

  private async ledgerTransfers(args: LedgerTransferQuery): Promise<LedgerTransfer[]> {
    const { did, to, memo, amount, notBefore } = parseInput(ledgerBankMethods.ledgerTransfers.arguments, args)
    const query = {
      to,
      ...(memo !== undefined && { memo }),
      ...(amount !== undefined && { amount: ncheqIn(amount) }),
      ...(notBefore !== undefined && { notBefore: new Date(notBefore) }),
    }
    return (await askLedger(this.bankOf(did).findPayments(query))).map(toTransfer)
  }

  private async ledgerBalance(args: { did: string; address: string }): Promise<{ amount: string }> {
    const { did, address } = parseInput(ledgerBankMethods.ledgerBalance.arguments, args)
    return { amount: formatCoins(await askLedger(this.bankOf(did).balanceOf(address))) }
  }

  private ledgerFeeLimit(args: { did: string }): Promise<{ perDay?: string }> {
    const { did } = parseInput(ledgerBankMethods.ledgerFeeLimit.arguments, args)
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
