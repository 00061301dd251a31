import type { DIDDocument, DIDDocumentMetadata, Service, VerificationMethod } from 'did-resolver'
import { z } from 'zod'
import { LinkedResourceMetadata } from './linked-resource.js'

/** Why a DID URL leads nowhere, in the words of DID Resolution. */
export const DidUrlError = z.enum([
  'invalidDid',
  'invalidDidUrl',
  'notFound',
  'representationNotSupported',
  'methodNotSupported',
  'unsupportedPublicKeyType',
])

/** Members defined by DID Core have their types from `did-resolver`. */
const withId = z.looseObject({ id: z.string() })
const didDocument = withId as unknown as z.ZodType<DIDDocument>
const part = withId as unknown as z.ZodType<VerificationMethod | Service>
const didDocumentMetadata = z.looseObject({}) as unknown as z.ZodType<DIDDocumentMetadata>

/** The target of a DID URL. */
export const DidUrlResult = z.union([
  z.object({ found: z.literal('document'), didDocument, didDocumentMetadata }),
  z.object({ found: z.literal('documentPart'), part, didDocumentMetadata }),
  z.object({ found: z.literal('documentMetadata'), didDocumentMetadata }),
  z.object({
    found: z.literal('documentVersions'),
    versions: z.array(didDocumentMetadata).meta({ description: 'Oldest first' }),
    next: z.string().exactOptional().meta({
      description: '`after` of the next page; absent on the last one',
    }),
  }),
  z.object({
    found: z.literal('serviceEndpoint'),
    uri: z.string().meta({ description: 'An absolute URI to continue at' }),
  }),
  z
    .object({
      found: z.literal('resource'),
      metadata: LinkedResourceMetadata,
      pinned: z.boolean().meta({ description: 'The DID URL always names this version' }),
    })
    .meta({ description: 'Read the content with `linkedResourceGet`' }),
  z.object({ found: z.literal('resourceMetadata'), metadata: LinkedResourceMetadata }),
  z.object({
    found: z.literal('renamed'),
    didUrl: z.string().meta({
      description: 'The DID has a new identifier: the same DID URL with it',
    }),
  }),
  z.object({ found: z.literal('nothing'), error: DidUrlError, message: z.string() }),
])

/** The agent method that dereferences DID URLs. */
export const didUrlMethods = {
  didUrlDereference: {
    description: 'Dereferences a DID URL',
    arguments: z.strictObject({
      didUrl: z.string('must be a DID URL').meta({
        description: 'DID URL as DID Core 3.2 has it: percent-encoded in its query',
      }),
      linkedResourceMetadata: z.boolean().default(true).meta({
        description:
          '`false` omits `linkedResourceMetadata` from the document metadata, which is long for a DID with many resources',
      }),
    }),
    returns: DidUrlResult,
  },
}
