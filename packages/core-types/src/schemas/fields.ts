import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { hasMoreBytes, isLongerThan } from '../characters.js'
import { isPointInTime, NO_TIME } from '../point-in-time.js'

const NOT_EMPTY = 'must be a non-empty string'

/** Characters as the API document counts them, which is not how strings of JavaScript do. */
export const textOfCharacters = (most: number) =>
  z
    .string()
    .min(1, NOT_EMPTY)
    .refine((value) => !isLongerThan(value, most), `must have at most ${most} characters`)
    .meta({ maxLength: most })

/** What is kept where bytes of UTF-8 count; JSON Schema has no word for them. */
export const textOfBytes = (description: string, maxBytes: number, least: 0 | 1 = 1) =>
  z
    .string()
    .min(least, NOT_EMPTY)
    .refine((value) => !hasMoreBytes(value, maxBytes), `must have at most ${maxBytes} bytes`)
    .meta({
      description: `${description}; at most ${maxBytes} bytes of UTF-8`,
      maxLength: maxBytes,
      'x-maxBytes': maxBytes,
    })

/** A name out of an open set: what there is depends on the configuration. */
export const word = (description: string, examples: readonly string[]) =>
  textOfCharacters(BOUNDS.word).meta({ description, examples: [...examples] })

/** A date and time with its zone (RFC 3339). */
export const dateTime = (description: string) =>
  z.iso
    .datetime({ offset: true, error: NO_TIME, abort: true })
    .refine(isPointInTime, NO_TIME)
    .meta({ description })
