import type { IPluginMethodMap } from '@veramo/core-types'

/** A transfer of money that is part of a ledger. */
export interface LedgerTransfer {
  txHash: string
  /** ISO 8601 */
  time: string
  from: string
  to: string
  /** with its unit: `<n>ncheq` */
  amount: string
  memo: string
}

/** The ledger is named by a DID that lives on it. */
export interface LedgerTransferArgs {
  did: string
  to: string
  /** `<n>ncheq` */
  amount: string
  memo: string
}

export interface LedgerTransferQuery {
  did: string
  to: string
  /** exactly this one */
  memo?: string
  /** exactly this one, `<n>ncheq` */
  amount?: string
  /** ISO 8601 */
  notBefore?: string
}

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
  /** The most that the payer pays in fees within a day, for all accounts together, `<n>ncheq`; left out: no limit. */
  ledgerFeeLimit(args: { did: string }): Promise<{ perDay?: string }>
}
