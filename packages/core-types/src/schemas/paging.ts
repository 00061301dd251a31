import { z } from 'zod'
import { PAGES } from '../bounds.js'

/** Which part of a listing is asked for; `page` and `after` exclude each other. */
export const PageRequest = z.object({
  limit: z
    .int()
    .optional()
    .meta({ description: `Entries, 1 to ${PAGES.most}; default ${PAGES.usual}` }),
  page: z
    .int()
    .optional()
    .meta({ description: `From 1 on, as long as it ends within the first ${PAGES.deepestRow} entries` }),
  after: z.string().optional().meta({ description: '`next` of the page before' }),
})

/** The members of every page beside its entries. */
export const pageEnd = {
  total: z
    .int()
    .meta({ description: 'All that fit, on every page; with `totalIsExact: false` at least so many' }),
  totalIsExact: z
    .literal(false)
    .exactOptional()
    .meta({ description: `There where no more than ${PAGES.counted} were counted` }),
  next: z.string().exactOptional().meta({
    description:
      'To be sent as `after` for the next page; absent on the last one. A page may be shorter than `limit`',
  }),
}
