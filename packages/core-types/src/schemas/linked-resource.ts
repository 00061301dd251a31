import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { alternativesProblem } from '../resource-alternatives.js'
import { textOfBytes } from './fields.js'

/** Metadata of one version of a DID-Linked Resource, as section 2.8 of the API contract has it. */
export const LinkedResourceMetadata = z.object({
  resourceURI: z.string().meta({ description: 'DID URL `<did>/resources/<resourceId>`' }),
  resourceCollectionId: z.string().meta({ description: 'The method-specific identifier of the publisher' }),
  resourceId: z.string().meta({ description: 'UUID, new for every version' }),
  resourceName: z.string(),
  resourceType: z.string(),
  mediaType: z.string(),
  resourceVersion: z.string().meta({ description: 'Free text of the publisher; empty where none was given' }),
  created: z.string().meta({ format: 'date-time', description: 'In UTC, whole seconds' }),
  checksum: z.string().meta({ description: 'Hex SHA-256 of the content' }),
  previousVersionId: z.string().nullable(),
  nextVersionId: z.string().nullable(),
})

/** `alsoKnownAs` of a resource; bounded, because it is sent to everybody who reads the resource. */
export const Alternatives = z
  .array(
    z.strictObject({
      uri: textOfBytes('Where else it is found', BOUNDS.alternativeUriBytes),
      description: textOfBytes('What is found there', BOUNDS.alternativeDescriptionBytes, 0),
    }),
  )
  .max(BOUNDS.alternatives, { abort: true })
  .superRefine((all, context) => {
    const message = alternativesProblem(all)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
