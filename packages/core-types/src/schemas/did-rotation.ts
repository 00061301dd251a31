import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { didAsKept } from '../did-spelling.js'
import type { DescribedMethod } from '../plugin-schema.js'
import { duration, textOfCharacters } from './fields.js'

const did = z
  .string('must be a DID')
  .min(1, 'must be a DID')
  .overwrite(didAsKept)
  .meta({ description: 'A DID of the account' })

export const DIDRotateKeyArgs = z.strictObject({
  did,
  key: textOfCharacters(BOUNDS.name).optional().meta({
    description: '`kid` of the new signing key, a key of the account; default: a new key is created',
  }),
  kms: textOfCharacters(BOUNDS.name).optional().meta({
    description:
      'Configured KMS in which to create the new key; default: that of the account, or that of the current key',
  }),
  gracePeriod: duration.optional().meta({
    description: [
      'How long the former key stays in the DID document once the new one signs, an ISO 8601 duration (`P30D`; `PT0S`: not at',
      'all). Default: until the last credential that it signed according to the register has expired; if there is none, or',
      'one that never expires, until a later call sets it',
    ].join(' '),
  }),
})

export const DIDRotationGetArgs = z.strictObject({ did })

/** The rotation of a DID's key. */
export const DIDRotation = z.object({
  did: z.string(),
  state: z.enum(['adding', 'signing', 'waiting', 'removing', 'done', 'failed']).meta({
    description: [
      '`adding`: the new key is being added to the DID document; `signing`: it signs, and the lists are being signed again; `waiting`: the',
      'former key stays for what it has signed; `removing`: it is being removed; `done`; `failed`: the rotation stopped there',
    ].join(' '),
  }),
  key: z.string().meta({ description: 'The `kid` of the new key' }),
  kms: z.string().meta({ description: 'KMS of the new key' }),
  formerKey: z.string().meta({ description: 'The `kid` of the former signing key' }),
  signedLists: z.int().meta({ description: 'Status lists processed so far, now signed by the new key' }),
  startedAt: z.string().meta({ format: 'date-time' }),
  signsSince: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'When everything was signed by the new key',
  }),
  gracePeriod: z.string().exactOptional(),
  removesAt: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'When the former key is removed from the document, if known',
  }),
  endedAt: z.string().exactOptional().meta({ format: 'date-time' }),
  failure: z.string().exactOptional().meta({ description: 'Why it stopped, or what is being retried' }),
})

/** The agent methods by which keys of DIDs are rotated. */
export const didRotationMethods = {
  didRotateKey: {
    description: 'Replaces the signing key of a DID, and removes the former one when it is no longer needed',
    arguments: DIDRotateKeyArgs,
    returns: DIDRotation,
  },
  didRotationGet: {
    description: 'Reports the progress of a key rotation of a DID',
    arguments: DIDRotationGetArgs,
    returns: DIDRotation,
  },
  didRotationContinue: {
    description: 'Continues unfinished key rotations, now and in the background',
    arguments: z.object({}),
    returns: z.object({ ended: z.int() }),
  },
} satisfies Record<string, DescribedMethod>
