import { PAGES } from '@vidimus/core-types'
import { z } from 'zod'
import { text } from './primitives.js'

const AFTER = '`next` of the page before, in place of `page`'

/** The part of the query in which every listing that people browse is paged. @param what - it lists, in the plural */
export const pageFields = (what: string) => ({
  page: z
    .int()
    .min(1)
    .max(PAGES.deepestRow)
    .optional()
    .meta({ description: `From 1 on, as far as ${PAGES.deepestRow} ${what}; beyond that \`after\` goes on` }),
  after: text(AFTER).optional().meta({ description: AFTER }),
  limit: z
    .int()
    .min(1)
    .max(PAGES.most)
    .default(PAGES.usual)
    .meta({ description: `${capital(what)} on a page, at most` }),
})

const time = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'must be a time such as 2027-01-31T00:00:00Z' })
    .optional()
    .meta({ description })

/** What all that an account holds is searched by. */
export const heldFields = {
  alias: text(
    'Only that with this alias, or those whose alias begins so where it ends in `*`',
    255,
  ).optional(),
  createdAfter: time('Only those that the account got after this time'),
  createdBefore: time('Only those that the account got before this time'),
}

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
