import { BOUNDS } from '@vidimus/core-types'
import { mayCost } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { ErrorBody } from '../errors/error-body.js'
import {
  DidDocumentWithoutMethods,
  exampleDid,
  exampleDidResult,
  IdentifierFormatType,
  keyType,
  ManagedKey,
  Network,
  publicKey,
  VerificationMethodType,
} from './did.js'
import { did, object, text } from './primitives.js'

const OWN_KEYS = 'keys are created and kept by the service (internal secret mode)'

/** DID Registration 4: only the mode in which the registrar has the keys is supported. */
const secretMode = {
  clientSecretMode: z
    .literal(false, `must be false or omitted: ${OWN_KEYS}, so there is nothing for the client to sign`)
    .optional()
    .meta({ description: 'Client-managed secret mode is not offered' }),
  storeSecrets: z
    .literal(true, `must be true or omitted: ${OWN_KEYS}, as nobody could control the DID without them`)
    .optional()
    .meta({ description: 'Keys are always kept' }),
  returnSecrets: z
    .literal(false, 'must be false or omitted: private keys never leave the service')
    .optional()
    .meta({ description: 'Private keys are never returned' }),
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const requestFields = {
  jobId: z
    .literal(null, 'must be omitted: every operation completes with its response, there are no jobs')
    .optional()
    .meta({ description: 'There are no jobs: every operation completes with its response' }),
  secret: z
    .record(z.string(), z.unknown())
    .refine(
      (secret) => Object.values(secret).every(isEmpty),
      `must be empty or omitted: ${OWN_KEYS}; import existing keys with POST /key/import`,
    )
    .nullish()
    .meta({ description: 'Must be empty or omitted', examples: [{}] }),
}

/** The method is a query parameter, as in the Universal Registrar. */
export const MethodQuery = z.strictObject({
  method: text(
    'DID method, such as `cheqd`, or the full name of the DID provider, such as `did:cheqd`; required unless `did` is given',
    BOUNDS.name,
  )
    .optional()
    .meta({ example: 'cheqd' }),
})

export const RegistrarCreateBody = z.strictObject({
  ...requestFields,
  did: did('The DID to create, for did:cheqd and did:web; default: a new one').nullish(),
  options: z
    .strictObject({
      ...secretMode,
      network: Network.optional(),
      identifierFormatType: IdentifierFormatType.optional(),
      verificationMethodType: VerificationMethodType.optional(),
      keyType: keyType().optional().meta({
        description: 'Type of the new key; for methods other than cheqd. Default `Ed25519`',
      }),
      key: publicKey().optional(),
    })
    .nullish()
    .meta({ description: 'The options of POST /did/create, and those of the secret mode' }),
  didDocument: DidDocumentWithoutMethods.nullish(),
})
export type RegistrarCreateBody = z.output<typeof RegistrarCreateBody>

const heldOptions = z
  .strictObject({ ...secretMode, network: Network.optional() })
  .nullish()
  .meta({ description: 'Those of the secret mode; a `network` must be that of the DID' })

const heldDidField = did('A DID of the account')

export const DOCUMENT_OPERATIONS = ['setDidDocument', 'addToDidDocument', 'removeFromDidDocument'] as const
export type DocumentOperation = (typeof DOCUMENT_OPERATIONS)[number]

/** Earlier drafts have one operation and one document without a list. */
const oneIsAList = (value: unknown) =>
  value === undefined || value === null || Array.isArray(value) ? value : [value]

export const RegistrarUpdateBody = z.strictObject({
  ...requestFields,
  did: heldDidField,
  options: heldOptions,
  didDocumentOperation: z
    .preprocess(
      oneIsAList,
      z.array(z.enum(DOCUMENT_OPERATIONS)).min(1).max(BOUNDS.documentOperations).nullable(),
    )
    .optional()
    .meta({
      description: 'What to do with each `didDocument`, in this order; default `["setDidDocument"]`',
      example: ['setDidDocument'],
    }),
  didDocument: z.preprocess(
    oneIsAList,
    z
      .array(object('A DID document, or what to add to or remove from the current one'))
      .min(1)
      .max(BOUNDS.documentOperations)
      .meta({ description: 'One for each operation' }),
  ),
})
export type RegistrarUpdateBody = z.output<typeof RegistrarUpdateBody>

export const RegistrarDeactivateBody = z.strictObject({
  ...requestFields,
  did: heldDidField,
  options: heldOptions,
})

const metadata = {
  didRegistrationMetadata: z
    .object({
      provider: z.string().optional().meta({ description: 'The provider of the DID' }),
      controllerKeyId: z.string().optional().meta({ description: '`kid` of the key that controls the DID' }),
      keys: z
        .array(ManagedKey)
        .optional()
        .meta({ description: 'Keys of the DID that the service holds; never their private keys' }),
    })
    .meta({ id: 'DidRegistrationMetadata' }),
  didDocumentMetadata: z.record(z.string(), z.unknown()).meta({ description: 'Of DID resolution' }),
}

/** DID Registration 7, for a completed operation. */
export const RegistrarState = z
  .object({
    jobId: z.null(),
    didState: z.object({
      state: z.literal('finished'),
      did: z.string(),
      didDocument: object(
        'The current document; absent if it cannot be resolved, such as a did:web that is not yet published',
      ).optional(),
    }),
    ...metadata,
    ...mayCost,
  })
  .meta({ id: 'RegistrarState', description: 'The state after a completed DID operation' })

/** DID Registration 8.2, with the usual error members of the service. */
export const RegistrarFailure = ErrorBody.extend({
  jobId: z.null(),
  didState: z.object({
    state: z.literal('failed'),
    did: z.string().optional().meta({ description: 'As it was sent' }),
    error: z.string().meta({ description: 'The same as `code`' }),
    reason: z.string().meta({ description: 'The same as `error` above' }),
  }),
  ...metadata,
}).meta({ id: 'RegistrarFailure', description: 'The state after a failed DID operation, with the reason' })

const { keys, controllerKeyId } = exampleDidResult

export const exampleRegistrarState = {
  jobId: null,
  didState: {
    state: 'finished' as const,
    did: exampleDid,
    didDocument: { '@context': ['https://www.w3.org/ns/did/v1'], id: exampleDid, verificationMethod: [] },
  },
  didRegistrationMetadata: { provider: 'did:cheqd', controllerKeyId, keys },
  didDocumentMetadata: {
    created: '2026-01-31T09:30:00Z',
    versionId: '6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee',
  },
}
