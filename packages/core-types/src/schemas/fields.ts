import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { hasMoreBytes, isLongerThan } from '../characters.js'
import { didAsKept, isDid } from '../did-spelling.js'
import { durationSentence, isDuration } from '../duration.js'
import { isPointInTime, NO_TIME } from '../point-in-time.js'

const NOT_EMPTY = 'must be a non-empty string'

/** Characters as the API document counts them, which is not how strings of JavaScript do. */
export const textOfCharacters = (most: number) =>
  z
    .string()
    .min(1, NOT_EMPTY)
    .refine((value) => !isLongerThan(value, most), `must have at most ${most} characters`)
    .meta({ maxLength: most })

/** For limits in bytes of UTF-8, which JSON Schema cannot express. */
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

/** As ISO 8601 has it. */
export const duration = z
  .string({ error: ({ input }) => durationSentence(input) })
  .refine(isDuration, { error: ({ input }) => durationSentence(input) })

const DATE_OR_TIME = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: NO_TIME })
  .refine(isPointInTime, NO_TIME)

/** As {@link dateTime}, or a date, which means its beginning in UTC. */
export const dateOrTime = (description: string) => DATE_OR_TIME.optional().meta({ description })

export const jsonObject = z.record(z.string(), z.unknown())

const NOT_DID = { error: 'must be a DID, without path, query and fragment' }

/** In the spelling that its ledger keeps. */
export const did = (description: string) =>
  z.string(NOT_DID).refine(isDid, NOT_DID).overwrite(didAsKept).meta({ description })

/** A credential or a presentation. */
export const jwtOrJson = (description: string) =>
  z
    .union([z.string(), jsonObject], {
      error: 'must be a JWT, an SD-JWT or a JSON object whose proof holds one',
    })
    .meta({ description })

export const problems = z.array(z.object({ path: z.string(), message: z.string() })).exactOptional()
