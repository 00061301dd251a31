import { z } from 'zod'

/** A coin of a ledger, as the Cosmos family writes it. */
export const Cost = z
  .object({
    amount: z.string().meta({ description: 'In the unit of `denom`' }),
    denom: z.literal('ncheq').meta({ description: '1,000,000,000 ncheq are one CHEQ' }),
  })
  .meta({
    description:
      'Network fee for what was written; absent if there was none. Callers who share a version each see its full cost',
    example: { amount: '10000000000', denom: 'ncheq' },
  })

/** For responses to operations that may write to a network. */
export const mayCost = { cost: Cost.exactOptional() }
