import { z } from 'zod'
import { ResourceMetadata } from '../schemas/status-list.js'

export const Metadata = z
  .object({
    contentType: z
      .string()
      .optional()
      .meta({ description: 'Media type of the result; absent if none is acceptable' }),
    error: z
      .enum([
        'invalidDid',
        'invalidDidUrl',
        'invalidOptions',
        'notFound',
        'representationNotSupported',
        'methodNotSupported',
        'unsupportedPublicKeyType',
        'internalError',
      ])
      .optional(),
    retrieved: z.iso.datetime(),
    did: z.object({ didString: z.string(), methodSpecificId: z.string(), method: z.string() }).optional(),
    message: z.string().optional().meta({ description: 'Reason, for humans; only with an error' }),
  })
  .meta({ id: 'DidResolutionMetadata' })
const DocumentMetadata = z
  .looseObject({
    created: z.iso.datetime().optional(),
    updated: z.iso.datetime().optional(),
    deactivated: z.boolean().optional(),
    versionId: z.string().optional(),
    nextVersionId: z.string().optional(),
    previousVersionId: z.string().optional(),
    linkedResourceMetadata: z.array(ResourceMetadata).optional(),
  })
  .meta({ id: 'DidDocumentMetadata' })
export const Document = z
  .looseObject({ id: z.string() })
  .meta({ id: 'PublishedDidDocument', description: 'A DID document (DID Core)' })
const context = z.literal('https://w3id.org/did-resolution/v1')

export const ResolutionResult = z
  .object({
    '@context': context,
    didDocument: Document.nullable(),
    didResolutionMetadata: Metadata,
    didDocumentMetadata: DocumentMetadata,
  })
  .meta({ id: 'DidResolutionResult' })
export const DereferencingResult = z
  .object({
    '@context': context,
    dereferencingMetadata: Metadata,
    contentStream: z.unknown().meta({ description: 'JSON as it is, text, or base64' }),
    contentMetadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'DidUrlDereferencingResult' })

export const Failure = z.union([ResolutionResult, DereferencingResult])
