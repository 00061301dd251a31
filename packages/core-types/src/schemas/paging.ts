import { z } from 'zod'
import { PAGES } from '../bounds.js'

/** Which part of a listing is asked for; `page` and `after` are mutually exclusive. */
export const PageRequest = z.object({
  limit: z
    .int()
    .optional()
    .meta({ description: `Entries, 1 to ${PAGES.most}; default ${PAGES.usual}` }),
  page: z
    .int()
    .optional()
    .meta({ description: `From 1 on, as long as it ends within the first ${PAGES.deepestRow} entries` }),
  after: z.string().optional().meta({ description: '`next` of the previous page' }),
})

/** The members of every page beside its entries. */
export const pageEnd = {
  total: z.int().meta({ description: 'Total number of matches; with `totalIsExact: false` a lower bound' }),
  totalIsExact: z
    .literal(false)
    .exactOptional()
    .meta({ description: `Present if counting stopped at ${PAGES.counted}` }),
  next: z.string().exactOptional().meta({
    description:
      'Send it as `after` for the next page; absent on the last one. A page may be shorter than `limit`',
  }),
}
