import { z } from 'zod'
import { APPLIED_HEADER, MINIMAL, PREFER_HEADER } from '../answers/return-preference.js'

/** Of operations that can omit the resource from their response. */
export const PREFER_PARAMETER = z.object({
  [PREFER_HEADER]: z
    .string()
    .optional()
    .meta({
      description: `\`${MINIMAL}\` omits \`resource\` from the response (RFC 7240).`,
      example: MINIMAL,
    }),
})

/** Of their responses. */
export const APPLIED = {
  [APPLIED_HEADER]: {
    description: `\`${MINIMAL}\` if \`resource\` was omitted as requested`,
    schema: { type: 'string' as const },
  },
}
