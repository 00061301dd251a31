import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { didAsKept } from '../did-spelling.js'
import { durationMs, durationSentence, isDuration } from '../duration.js'
import { textOfBytes, textOfCharacters, word } from './fields.js'

const NO_PUBLISHER = 'must be the DID that publishes the list'
const NO_INDEX = 'must be a whole number, 0 or greater'
const NO_PURPOSE = 'must be a purpose, or a list of them'
/** The encodings of entries go no further. */
export const MOST_BITS = 8
const NO_FEE = 'must be an amount in CHEQ, 0 or greater'
const MOST_FEE_CHEQ = 1_000_000_000

/** The list determines whether the index exists, and how many there are. */
export const listIndex = z.int(NO_INDEX).min(0, NO_INDEX)

/** The fields that name a list, in every method. */
export const listName = {
  did: z
    .string(NO_PUBLISHER)
    .min(1, NO_PUBLISHER)
    .overwrite(didAsKept)
    .meta({ description: 'DID of the publisher of the status list' }),
  statusListName: textOfBytes(
    'Name of the DID-Linked Resource that holds the list',
    BOUNDS.resourceNameBytes,
  ),
  listType: word('Type of the status list, one of the configured ones', [
    'StatusList2021',
    'BitstringStatusList',
    'TokenStatusList',
  ]),
}

export const statusPurpose = word('Purpose of the status list', [
  'revocation',
  'suspension',
  'message',
  'refresh',
])

export const statusPurposes = z
  .array(statusPurpose)
  .min(1, 'must hold at least one purpose')
  .max(BOUNDS.statusEntries)

/** One purpose and several are not the same in every type of list. */
export const onePurposeOrMore = z.union([statusPurpose, statusPurposes], {
  error: ({ input }) => (input === undefined ? 'is required' : NO_PURPOSE),
})

export const statusListVersion = textOfBytes(
  'Version of the resource, for people',
  BOUNDS.resourceNameBytes,
  0,
)

/** The text of {@link listIndex}, for documentation: entries are only checked once their number is valid. */
const indexItems = { items: { type: 'integer', minimum: 0 } }

/** The number first: no problem for each of a million. */
const indicesAtMost = (most: number) =>
  z.array(z.unknown(), 'must be a list of whole numbers').max(most, `must not hold more than ${most} indices`)

/** @param most - as it is configured */
export const indicesToUpdate = (most: number) =>
  indicesAtMost(most)
    .min(1, 'must hold at least one index')
    .meta({ ...indexItems, description: 'Indices to update; repeated ones count once' })
    .pipe(z.array(listIndex))

/** @param most - as it is configured */
export const indicesToCheck = (most: number) =>
  indicesAtMost(most)
    .meta({ ...indexItems, description: 'Indices to check' })
    .pipe(z.array(listIndex))

/** The type of a list determines its range, with everything else that affects the size of a list. */
export const statusSize = z.int().min(1).meta({ maximum: MOST_BITS })

/** The meaning of one value of a list; further members are the publisher's own. */
export const StatusMessage = z.looseObject({
  status: z
    .string()
    .regex(/^0x[0-9a-fA-F]+$/, 'must be hexadecimal with 0x in front')
    .meta({ description: 'The value, such as `0x2`' }),
  message: textOfCharacters(1024).meta({ description: 'What the value means' }),
})

export const statusMessages = z.array(StatusMessage, 'must be a list of messages').max(BOUNDS.statusMessages)

const DAY_MS = 86_400_000
const NO_PACE = `must be from PT1S to P${BOUNDS.publishEveryDays}D, in weeks, days, hours, minutes and seconds`

/** Beats come at equal distances, which months and years do not have. */
const isPace = (text: string): boolean => {
  const [date = ''] = text.split('T')
  const ms = durationMs(text)
  return !/[YM]/.test(date) && ms >= 1000 && ms <= BOUNDS.publishEveryDays * DAY_MS
}

/** How often a list publishes changes. */
export const publishEvery = z
  .string({ error: ({ input }) => durationSentence(input) })
  .refine((text) => isDuration(text) && isPace(text), {
    error: ({ input }) => (isDuration(String(input)) ? NO_PACE : durationSentence(input)),
  })
  .meta({ example: 'PT15M' })

/** The most that a call pays, whatever it pays for. */
export const maxFee = z
  .number(NO_FEE)
  .min(0, NO_FEE)
  .max(MOST_FEE_CHEQ, `must be at most ${MOST_FEE_CHEQ} CHEQ`)

/** Whether an update waits until others serve it as well. */
export const publicationWish = z.literal('wait', 'must be "wait"').optional().meta({
  description:
    '`wait`: respond once the new version is in the static publication as well, or after a time limit',
})
