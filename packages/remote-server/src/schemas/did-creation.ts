import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import {
  DidDocumentWithoutMethods,
  documentList,
  IdentifierFormatType,
  keyType,
  Network,
  NewServices,
  publicKey,
  VerificationMethodType,
} from './did.js'
import { kmsOfNewKey } from './key.js'
import { text } from './primitives.js'

/** Sections 2.1 and 2.2 of the contract combined: every field in both content types. */
export const CreateDidBody = z.strictObject({
  network: Network.optional(),
  providerId: text('Provider of DIDs; default `did:cheqd`', BOUNDS.name).optional(),
  identifierFormatType: IdentifierFormatType.optional(),
  verificationMethodType: VerificationMethodType.optional(),
  service: NewServices.optional(),
  key: publicKey().optional(),
  kms: kmsOfNewKey().optional(),
  '@context': documentList('Contexts of the DID document; required ones are added').optional(),
  options: z
    .strictObject({
      key: publicKey().optional(),
      verificationMethodType: VerificationMethodType.optional(),
      keyType: keyType().optional().meta({
        description: 'Type of the new key; for providers other than did:cheqd. Default `Ed25519`',
      }),
    })
    .optional()
    .meta({ description: 'The same fields as beside it; must match them' }),
  didDocument: DidDocumentWithoutMethods.optional(),
})
export type CreateDidBody = z.output<typeof CreateDidBody>
