import { isAccountAddress } from '@vidimus/core-types'
import { formatCoins, ncheqOf, parseCoins } from '@vidimus/ledger'
import { z } from 'zod'

const ADDRESS_SHAPE = 'must be the address of an account (cheqd1...) with a valid checksum'
const AMOUNT_SHAPE = `must be a whole number of CHEQ, or text such as "${formatCoins(20_000_000_000n)}", below 2^63 ncheq`

const Amount = z.unknown().transform((value, context) => {
  const ncheq = readAmount(value)
  if (ncheq !== undefined) return ncheq
  context.addIssue({ code: 'custom', message: AMOUNT_SHAPE })
  return z.NEVER
})

function readAmount(value: unknown): bigint | undefined {
  if (typeof value === 'number') return ncheqOf(value)
  return typeof value === 'string' ? parseCoins(value) : undefined
}

/** The option `bank` of an embedded ledger; amounts become ncheq. */
export const BankOptions = z.strictObject({
  payer: z.string().refine(isAccountAddress, ADDRESS_SHAPE).optional(),
  balances: z
    .record(z.string(), Amount)
    .superRefine((balances, context) => {
      for (const address of Object.keys(balances)) {
        if (!isAccountAddress(address))
          context.addIssue({ code: 'custom', path: [address], message: ADDRESS_SHAPE })
      }
    })
    .default({}),
  maxFeesPerDayCheq: z.int().min(0).max(1_000_000_000).default(1000).transform(ncheqOf),
})

export interface EmbeddedBankOptions {
  /** address of the account that pays for this service; absent: it can pay nothing */
  payer?: string
  /**
   * The first balances of accounts, by their addresses: whole CHEQ, or `<n>ncheq`. An account gets it once, when the
   * configuration first names it; later changes of the amount have no effect.
   */
  balances?: Record<string, number | string>
  /** the most that the payer pays in fees for encrypted lists within a day (UTC), for all accounts, in CHEQ; default 1000 */
  maxFeesPerDayCheq?: number
}
