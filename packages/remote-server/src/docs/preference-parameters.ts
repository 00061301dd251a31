import { z } from 'zod'
import { APPLIED_HEADER, MINIMAL, PREFER_HEADER } from '../answers/return-preference.js'

/** Of operations whose answers can do without the resource. */
export const PREFER_PARAMETER = z.object({
  [PREFER_HEADER]: z
    .string()
    .optional()
    .meta({
      description: `\`${MINIMAL}\` leaves \`resource\` out of the answer (RFC 7240); everything else of it stays.`,
      example: MINIMAL,
    }),
})

/** Of their answers. */
export const APPLIED = {
  [APPLIED_HEADER]: {
    description: `\`${MINIMAL}\` where \`resource\` was left out because the request preferred that`,
    schema: { type: 'string' as const },
  },
}
