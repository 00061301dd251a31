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
      description: 'The version that the next page comes after; left out on the last one',
    }),
  }),
  z.object({
    found: z.literal('serviceEndpoint'),
    uri: z.string().meta({ description: 'An absolute URI to go on to' }),
  }),
  z
    .object({
      found: z.literal('resource'),
      metadata: LinkedResourceMetadata,
      pinned: z.boolean().meta({ description: 'The DID URL names this version, and never another one' }),
    })
    .meta({ description: 'The content is read with `linkedResourceGet`, by who does not have it yet' }),
  z.object({ found: z.literal('resourceMetadata'), metadata: LinkedResourceMetadata }),
  z.object({
    found: z.literal('renamed'),
    didUrl: z.string().meta({
      description: 'The DID is called otherwise by now: the same DID URL with its present name',
    }),
  }),
  z.object({ found: z.literal('nothing'), error: DidUrlError, message: z.string() }),
])

/** The agent method that dereferences DID URLs. */
export const didUrlMethods = {
  didUrlDereference: {
    description: 'Finds what a DID URL leads to',
    arguments: z.strictObject({
      didUrl: z.string('must be a DID URL').meta({
        description: 'DID URL as DID Core 3.2 has it: percent-encoded in its query',
      }),
      linkedResourceMetadata: z.boolean().default(true).meta({
        description:
          '`false` leaves `linkedResourceMetadata` out of the metadata of a document, which is long for a DID that publishes much',
      }),
    }),
    returns: DidUrlResult,
  },
}
