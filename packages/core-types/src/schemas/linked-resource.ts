import { z } from 'zod'
import { BOUNDS, PAGES } from '../bounds.js'
import { alternativesProblem } from '../resource-alternatives.js'
import { mayCost } from './cost.js'
import { textOfBytes } from './fields.js'
import { pageEnd, PageRequest } from './paging.js'

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

/** A version with its content. */
export const LinkedResource = z.object({
  metadata: LinkedResourceMetadata,
  data: z.string().meta({ description: 'The content, in base64url without padding' }),
})

/** The newest version of a name and type, and how many there are. */
export const NewestResource = z.object({ versions: z.int(), metadata: LinkedResourceMetadata })

/** `alsoKnownAs` of a resource; limited, because every reader of the resource gets it. */
export const Alternatives = z
  .array(
    z.strictObject({
      uri: textOfBytes('Alternative address', BOUNDS.alternativeUriBytes),
      description: textOfBytes('Description', BOUNDS.alternativeDescriptionBytes, 0),
    }),
  )
  .max(BOUNDS.alternatives, { abort: true })
  .superRefine((all, context) => {
    const message = alternativesProblem(all)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** Ledgers define their DIDs. */
const publisher = { did: z.string().meta({ description: 'The DID that publishes it' }) }

/** The common members of all versions of a resource. */
const LinkedResourceName = z.object({
  ...publisher,
  resourceName: textOfBytes('Name of the resource', BOUNDS.resourceNameBytes),
  resourceType: textOfBytes('Type of the resource', BOUNDS.resourceNameBytes),
})

const NOT_BASE64URL = 'must be base64url without padding'
const BASE64URL = /^[A-Za-z0-9_-]+$/

/** A group of four cannot end in a single character, which carries only six bits. */
const isBase64url = (text: string): boolean => BASE64URL.test(text) && text.length % 4 !== 1

const decodedBytes = (base64url: string): number => Math.floor((base64url.length * 3) / 4)

const LinkedResourceCreateArgs = z.strictObject({
  ...LinkedResourceName.shape,
  did: z.string().meta({ description: 'A DID that the account holds' }),
  data: z
    .string(NOT_BASE64URL)
    .refine(isBase64url, { error: NOT_BASE64URL, abort: true })
    .refine(
      (data) => decodedBytes(data) <= BOUNDS.resourceBytes,
      `must have 1 to ${BOUNDS.resourceBytes} bytes`,
    )
    .meta({
      description: `The content, in base64url without padding; at most ${BOUNDS.resourceBytes} bytes decoded`,
    }),
  resourceVersion: textOfBytes('Version of the resource, for people', BOUNDS.resourceNameBytes, 0).optional(),
  alsoKnownAs: Alternatives.optional().meta({ description: 'Other addresses of the resource' }),
  resourceId: z.guid('must be a UUID').optional().meta({
    description: 'UUID of the new version, unique within the DID; default: a random one',
  }),
  expectedPrevious: z.guid('must be the UUID of a version, or null').nullable().optional().meta({
    description:
      'Optimistic lock: expected `resourceId` of the newest version; `null`: there must be none yet. Default: no check',
  }),
})

const numbered = PageRequest.shape
const behind = {
  limit: numbered.limit,
  after: z.string().optional().meta({ description: '`resourceId` of the last version of the previous page' }),
}

/** The agent methods of DID-Linked Resources. */
export const linkedResourceMethods = {
  linkedResourceCreate: {
    description: 'Publishes a new version of a DID-Linked Resource of a DID that the account holds',
    arguments: LinkedResourceCreateArgs,
    returns: LinkedResourceMetadata.extend(mayCost),
  },
  linkedResourceGetLatest: {
    description: 'Reads the newest version of a DID-Linked Resource; null where there is none',
    arguments: LinkedResourceName,
    returns: LinkedResource.nullable(),
  },
  linkedResourceGetLatestMetadata: {
    description: 'Reads the metadata of the newest version of a DID-Linked Resource',
    arguments: LinkedResourceName,
    returns: LinkedResourceMetadata.nullable(),
  },
  linkedResourceFindLatest: {
    description:
      'Reads the metadata of the newest versions of one name, of several types; and of the DID document its version',
    arguments: z.strictObject({
      ...publisher,
      resourceName: LinkedResourceName.shape.resourceName,
      resourceTypes: z.array(LinkedResourceName.shape.resourceType).max(BOUNDS.resourceTypes),
      documentVersion: z.boolean().optional().meta({ description: 'Whether that is asked for' }),
    }),
    returns: z.object({
      resources: z.array(LinkedResourceMetadata),
      documentVersion: z.string().nullable().meta({
        description:
          'Another one for each change of the document; null if it is deactivated, or was not asked for',
      }),
    }),
  },
  linkedResourceGet: {
    description: 'Reads one version of a DID-Linked Resource; null where there is no such version',
    arguments: z.object({ ...publisher, resourceId: z.string() }),
    returns: LinkedResource.nullable(),
  },
  linkedResourceList: {
    description:
      'Lists the metadata of all resource versions of a DID, oldest first: a page, or all if there are few',
    arguments: z.object({ ...publisher, ...behind }),
    returns: z.array(LinkedResourceMetadata),
  },
  linkedResourceListNewest: {
    description: 'Lists the newest version of each name and type of resources of a DID, page by page',
    arguments: z.object({
      ...publisher,
      ...numbered,
      resourceTypes: z
        .array(z.string())
        .max(PAGES.most)
        .optional()
        .meta({ description: 'Only these; default: all' }),
    }),
    returns: z.object({ resources: z.array(NewestResource), ...pageEnd }),
  },
  linkedResourceListVersions: {
    description: 'Lists the versions of one resource of a DID, newest first, page by page',
    arguments: z.object({ ...LinkedResourceName.shape, ...numbered }),
    returns: z.object({ versions: z.array(LinkedResourceMetadata), ...pageEnd }),
  },
}
