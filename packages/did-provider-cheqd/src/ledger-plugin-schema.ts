import { pluginSchema } from '@vidimus/core-types'
import { LinkedResourceMetadata, mayCost } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { DereferenceArguments } from './did-url-dereferencing.js'
import { CreateArguments, DidArguments, NameArguments, VersionArguments } from './resource-arguments.js'
import { ListArguments, NewestArguments, VersionsArguments } from './resource-lists.js'

const ResourceOrNull = z.object({ metadata: LinkedResourceMetadata, data: z.string() }).nullable()

const DocumentMetadata = z.looseObject({})
const DereferencingResult = z.union([
  z.object({
    found: z.literal('document'),
    didDocument: z.looseObject({ id: z.string() }),
    didDocumentMetadata: DocumentMetadata,
  }),
  z.object({
    found: z.literal('documentPart'),
    part: z.looseObject({ id: z.string() }),
    didDocumentMetadata: DocumentMetadata,
  }),
  z.object({ found: z.literal('documentMetadata'), didDocumentMetadata: DocumentMetadata }),
  z.object({
    found: z.literal('documentVersions'),
    versions: z.array(DocumentMetadata),
    next: z.string().optional(),
  }),
  z.object({ found: z.literal('serviceEndpoint'), uri: z.string() }),
  z.object({ found: z.literal('resource'), metadata: LinkedResourceMetadata, pinned: z.boolean() }),
  z.object({ found: z.literal('resourceMetadata'), metadata: LinkedResourceMetadata }),
  z.object({ found: z.literal('renamed'), didUrl: z.string() }),
  z.object({ found: z.literal('nothing'), error: z.string(), message: z.string() }),
])

const ResolutionResult = z.looseObject({
  didDocument: z.looseObject({ id: z.string() }).nullable(),
  didDocumentMetadata: DocumentMetadata,
  didResolutionMetadata: z.looseObject({}),
  ...mayCost,
})

const NoArguments = z.object({})

/** The schema of the plugin of did:cheqd. */
const pageMembers = {
  total: z.int(),
  totalIsExact: z.literal(false).optional(),
  next: z.string().optional(),
}

export const ledgerPluginSchema = () =>
  pluginSchema({
    linkedResourceCreate: {
      description: 'Publishes a new version of a DID-Linked Resource of a DID that the account holds',
      arguments: CreateArguments,
      returns: LinkedResourceMetadata.extend(mayCost),
    },
    linkedResourceGetLatest: {
      description: 'Reads the newest version of a DID-Linked Resource; null where there is none',
      arguments: NameArguments,
      returns: ResourceOrNull,
    },
    linkedResourceGetLatestMetadata: {
      description: 'Reads the metadata of the newest version of a DID-Linked Resource',
      arguments: NameArguments,
      returns: LinkedResourceMetadata.nullable(),
    },
    linkedResourceGet: {
      description: 'Reads one version of a DID-Linked Resource; null where there is no such version',
      arguments: VersionArguments,
      returns: ResourceOrNull,
    },
    linkedResourceList: {
      description:
        'Lists the metadata of the versions of all resources of a DID, oldest first: a page, or all where they are few',
      arguments: ListArguments,
      returns: z.array(LinkedResourceMetadata),
    },
    linkedResourceListNewest: {
      description: 'Lists the newest version of each name and type of resources of a DID, page by page',
      arguments: NewestArguments,
      returns: z.looseObject({
        resources: z.array(z.object({ versions: z.int(), metadata: LinkedResourceMetadata })),
        ...pageMembers,
      }),
    },
    linkedResourceListVersions: {
      description: 'Lists the versions of one resource of a DID, newest first, page by page',
      arguments: VersionsArguments,
      returns: z.looseObject({ versions: z.array(LinkedResourceMetadata), ...pageMembers }),
    },
    cheqdDeactivate: {
      description: 'Deactivates a DID that the account holds, for good',
      arguments: DidArguments,
      returns: ResolutionResult,
    },
    cheqdNetworks: {
      description: 'Tells the configured networks of did:cheqd',
      arguments: NoArguments,
      returns: z.array(z.object({ network: z.string(), kind: z.string(), local: z.boolean() })),
    },
    ledgerSpending: {
      description: 'Tells what the account has spent today on what it writes, by network',
      arguments: NoArguments,
      returns: z.record(z.string(), z.object({ used: z.number(), limit: z.number().optional() })),
    },
    didUrlDereference: {
      description: 'Finds what a DID URL leads to',
      arguments: DereferenceArguments,
      returns: DereferencingResult,
    },
  })
