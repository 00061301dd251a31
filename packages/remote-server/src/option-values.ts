import { z } from 'zod'

/** A whole number; from an environment variable it arrives as text. */
export const count = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z
      .int(`has to be a whole number from ${min} to ${max}`)
      .min(min, `has to be at least ${min}`)
      .max(max, `has to be at most ${max}`),
  )

export const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('has to be true or false'),
)
