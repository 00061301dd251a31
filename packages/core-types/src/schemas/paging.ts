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

/** What every page says beside its entries. */
export const pageEnd = {
  total: z.int().meta({ description: 'How many there are, as far as they were counted' }),
  totalIsExact: z.literal(false).exactOptional().meta({ description: 'There may be more' }),
  next: z
    .string()
    .exactOptional()
    .meta({ description: 'Where the next page begins; left out on the last one' }),
}
