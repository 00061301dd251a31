import { LedgerError } from '@vidimus/ledger'

export const isLedgerError = (error: unknown): error is LedgerError => error instanceof LedgerError
