import { BOUNDS, PAGES } from '@vidimus/core-types'
import { z } from 'zod'

/** The part of the query in which every listing that people browse is paged. @param what - it lists, in the plural */
export const pageFields = (what: string) => ({
  page: z
    .int()
    .min(1)
    .max(PAGES.deepestRow)
    .optional()
    .meta({ description: `From 1 on, as far as ${PAGES.deepestRow} ${what}; beyond that \`after\` goes on` }),
  after: z
    .string()
    .min(1)
    .max(BOUNDS.text)
    .optional()
    .meta({ description: '`next` of the page before, in place of `page`' }),
  limit: z
    .int()
    .min(1)
    .max(PAGES.most)
    .default(PAGES.usual)
    .meta({ description: `${capital(what)} on a page, at most` }),
})

/** What every page says of itself. */
export const pageMembers = {
  total: z
    .int()
    .meta({ description: 'All that fit, on every page; with `totalIsExact: false` at least so many' }),
  totalIsExact: z
    .literal(false)
    .optional()
    .meta({ description: `There where no more than ${PAGES.counted} were counted` }),
  next: z.string().optional().meta({
    description:
      'To be sent as `after` for the next page; absent on the last one. A page may be shorter than `limit`',
  }),
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
