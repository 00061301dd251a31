import { z } from 'zod'
import { publicUrlOf, publicUrlProblem, type PublicUrlOption } from '../public-url.js'

/** The option `publicUrl` of objects that create addresses, as a URL without a slash at the end. */
export const publicUrlField = () =>
  z
    .custom<PublicUrlOption>((value) => publicUrlProblem(value) === undefined, {
      error: ({ input }) => publicUrlProblem(input),
    })
    .optional()
    .transform(publicUrlOf)
