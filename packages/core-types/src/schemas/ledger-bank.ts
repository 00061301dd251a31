import { z } from 'zod'
import { isAccountAddress } from '../account-address.js'
import { BOUNDS } from '../bounds.js'
import { hasMoreBytes } from '../characters.js'
import { parseCoins } from '../coins.js'
import { dateTime } from './fields.js'

/** A transfer of money that is part of a ledger. */
export const LedgerTransfer = z.object({
  txHash: z.string(),
  time: z.string().meta({ format: 'date-time' }),
  from: z.string(),
  to: z.string(),
  amount: z.string().meta({ description: 'With its unit: `<n>ncheq`' }),
  memo: z.string(),
})

const ledger = { did: z.string().meta({ description: 'A DID on the ledger' }) }
const address = z
  .string()
  .refine(isAccountAddress, 'must be the address of an account (cheqd1...) with a valid checksum')
const memo = z
  .string()
  .refine((text) => !hasMoreBytes(text, BOUNDS.memoBytes), `must have at most ${BOUNDS.memoBytes} bytes`)
const amount = z
  .string()
  .refine((text) => parseCoins(text) !== undefined, {
    error: 'must be <n>ncheq, with n below 2^63',
    abort: true,
  })
  .meta({ description: '`<n>ncheq`' })

/** The agent methods of the money of ledgers. */
export const ledgerBankMethods = {
  ledgerTransfer: {
    description: 'Pays from the payer of the ledger that the DID is on',
    arguments: z.strictObject({
      ...ledger,
      to: address,
      amount: amount.refine((text) => (parseCoins(text) ?? 0n) > 0n, 'must be more than 0ncheq'),
      memo,
    }),
    returns: LedgerTransfer,
  },
  ledgerTransfers: {
    description: 'Lists payments to an account of the ledger, newest first, at most 100',
    arguments: z.strictObject({
      ...ledger,
      to: address,
      memo: memo.optional().meta({ description: 'Those with exactly this one' }),
      amount: amount.optional().meta({ description: 'Those of exactly this one, `<n>ncheq`' }),
      notBefore: dateTime('Those from then on').optional(),
    }),
    returns: z.array(LedgerTransfer),
  },
  ledgerBalance: {
    description: 'Reports the balance of an account of the ledger',
    arguments: z.strictObject({ ...ledger, address }),
    returns: z.object({ amount: z.string().meta({ description: '`<n>ncheq`' }) }),
  },
  ledgerFeeLimit: {
    description: 'Reports the daily fee limit of the payer of a ledger, for all accounts together',
    arguments: z.strictObject(ledger),
    returns: z.object({
      perDay: z.string().exactOptional().meta({ description: '`<n>ncheq`; absent: no limit' }),
    }),
  },
}
