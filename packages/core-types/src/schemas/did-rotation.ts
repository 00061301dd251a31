import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { didAsKept } from '../did-spelling.js'
import type { DescribedMethod } from '../plugin-schema.js'
import { textOfCharacters } from './fields.js'
import { duration } from './presentations.js'

const did = z
  .string('must be a DID')
  .min(1, 'must be a DID')
  .overwrite(didAsKept)
  .meta({ description: 'A DID of the account' })

export const DIDRotateKeyArgs = z.strictObject({
  did,
  key: textOfCharacters(BOUNDS.name).optional().meta({
    description: 'A key of the account, by its `kid`, that is to sign; default: a new one',
  }),
  kms: textOfCharacters(BOUNDS.name).optional().meta({
    description:
      'The configured KMS in which a new key is made; default: that of the account, or that of the key which signs now',
  }),
  gracePeriod: duration.optional().meta({
    description: [
      'For how long the former key stays in the DID document once the new one signs, as ISO 8601 has it (`P30D`; `PT0S`: not at',
      'all). Default: until the last credential has expired that the register knows to be signed by it; where it knows none, or',
      'one that never expires, until a later call says so',
    ].join(' '),
  }),
})

export const DIDRotationGetArgs = z.strictObject({ did })

/** The rotation of a DID's key. */
export const DIDRotation = z.object({
  did: z.string(),
  state: z.enum(['adding', 'signing', 'waiting', 'removing', 'done', 'failed']).meta({
    description: [
      '`adding`: the new key is put into the DID document; `signing`: it signs, and the lists are signed again; `waiting`: the',
      'former key stays for what it has signed; `removing`: it is taken out; `done`; `failed`: it stopped where it was',
    ].join(' '),
  }),
  key: z.string().meta({ description: 'The `kid` of the new key' }),
  kms: z.string().meta({ description: 'Where the new key lives' }),
  formerKey: z.string().meta({ description: 'The `kid` of the key that signed before' }),
  signedLists: z.int().meta({ description: 'Status lists that were looked at, and signed by the new key' }),
  startedAt: z.string().meta({ format: 'date-time' }),
  signsSince: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'Since when everything is signed by the new key',
  }),
  gracePeriod: z.string().exactOptional(),
  removesAt: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'When the former key is taken out of the document, as far as that is known',
  }),
  endedAt: z.string().exactOptional().meta({ format: 'date-time' }),
  failure: z.string().exactOptional().meta({ description: 'Why it stopped, or what is tried again' }),
})

/** The agent methods by which keys of DIDs are rotated. */
export const didRotationMethods = {
  didRotateKey: {
    description:
      'Lets another key sign for a DID, and takes the former one out when nothing needs it any more',
    arguments: DIDRotateKeyArgs,
    returns: DIDRotation,
  },
  didRotationGet: {
    description: 'Reports how far the rotation of a key of a DID is',
    arguments: DIDRotationGetArgs,
    returns: DIDRotation,
  },
  didRotationContinue: {
    description: 'Goes on with rotations of keys that are not done, now and from then on, in the background',
    arguments: z.object({}),
    returns: z.object({ ended: z.int(), left: z.int() }),
  },
} satisfies Record<string, DescribedMethod>
