import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

type Methods = typeof schemas.ledgerBankMethods

/** A transfer of money that is part of a ledger. */
export type LedgerTransfer = z.output<typeof schemas.LedgerTransfer>

/** The ledger is named by a DID that lives on it. */
export type LedgerTransferArgs = z.output<Methods['ledgerTransfer']['arguments']>

export type LedgerTransferQuery = z.output<Methods['ledgerTransfers']['arguments']>

/** Payments on the ledgers of did:cheqd, made by the payer that the configuration gives each of them. */
export interface ILedgerBank extends IPluginMethodMap {
  /**
   * Resolves when the transfer is durable.
   *
   * @throws AgentError `insufficient_funds`, `ledger_unavailable` (also for a ledger without payer), `invalid_input`
   */
  ledgerTransfer(args: LedgerTransferArgs): Promise<LedgerTransfer>
  /** newest first, at most 100 */
  ledgerTransfers(args: LedgerTransferQuery): Promise<LedgerTransfer[]>
  /** `<n>ncheq` */
  ledgerBalance(args: { did: string; address: string }): Promise<{ amount: string }>
  /** The most that the payer pays in fees within a day, for all accounts together, `<n>ncheq`; absent: no limit. */
  ledgerFeeLimit(args: { did: string }): Promise<{ perDay?: string }>
}
