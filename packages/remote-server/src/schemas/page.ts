import { PAGES } from '@vidimus/core-types'
import { z } from 'zod'
import { text } from './primitives.js'

const AFTER = '`next` of the previous page, instead of `page`'

/** The paging parameters of every browsable listing. @param what - the listed items, in the plural */
export const pageFields = (what: string) => ({
  page: z
    .int()
    .min(1)
    .max(PAGES.deepestRow)
    .optional()
    .meta({ description: `From 1 on, up to ${PAGES.deepestRow} ${what}; beyond that use \`after\`` }),
  after: text(AFTER).optional().meta({ description: AFTER }),
  limit: z
    .int()
    .min(1)
    .max(PAGES.most)
    .default(PAGES.usual)
    .meta({ description: `${capital(what)} on a page, at most` }),
})

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
