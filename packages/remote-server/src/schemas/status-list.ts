import {
  asListName,
  asDid,
  BOUNDS,
  listAddress,
  hashListId,
  type LinkedResourceMetadata,
} from '@vidimus/core-types'
import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { described, did } from './primitives.js'
import { commaSeparable } from '../input/list-separator.js'
import { exampleDid } from './did.js'
import type { OperationSettings } from '../options.js'

/** A DID is validated here; other parts of a list's name are left to the agent. */
export const listName = {
  ...schemas.listName,
  did: did(described(schemas.listName.did)),
}

/** The list itself limits the number; this only rejects nonsense. */
const index = schemas.listIndex.max(BOUNDS.listLength - 1)

export const oneIndex = (shared: z.ZodOptional<typeof schemas.listIndex>) =>
  index.optional().meta({ description: described(shared) })

/** In JSON a single index may be given without a list. */
export const indices = (shared: z.ZodType) =>
  z
    .preprocess(
      (value) => (typeof value === 'number' ? [value] : value),
      commaSeparable(z.array(index).min(1, 'must have at least one index').max(BOUNDS.indices), /^\d+$/),
    )
    .meta({ description: described(shared), example: [0, 94567] })

/** Values that no type has are refused here. */
export const statusSize = (shared: z.ZodType) =>
  schemas.statusSize
    .max(schemas.MOST_BITS)
    .optional()
    .meta({ description: described(shared) })

/** In the form of requests; members added by the publisher occur only in lists. */
export const statusMessages = (shared: z.ZodType) =>
  z
    .array(z.strictObject(schemas.StatusMessage.shape))
    .max(BOUNDS.statusMessages)
    .optional()
    .meta({ description: described(shared) })

export const ResourceMetadata = schemas.LinkedResourceMetadata.meta({
  id: 'ResourceMetadata',
  description: 'One version of a DID-Linked Resource',
})

const named = { resourceMetadata: ResourceMetadata }

/** The addresses of a list in every response, besides its DID URL. */
export const listAddresses = {
  statusListId: z.string().meta({
    description: 'The id of the list in its https address `/status-lists/{statusListId}`',
  }),
  statusListUrl: z.string().optional().meta({
    description: 'The https address of the list, if the service has a public URL',
  }),
}

/** A response with the addresses of its list. */
export const withAddresses = <Answer extends { resourceMetadata: LinkedResourceMetadata }>(
  did: string,
  answer: Answer,
  settings: Pick<OperationSettings, 'publicUrl'>,
) => ({ ...answer, ...answeredAddresses(did, answer.resourceMetadata, settings) })

export function answeredAddresses(
  did: string,
  { resourceName, resourceType }: LinkedResourceMetadata,
  { publicUrl }: Pick<OperationSettings, 'publicUrl'>,
): { statusListId: string; statusListUrl?: string } {
  const statusListId = hashListId({
    did: asDid(did),
    statusListName: asListName(resourceName),
    resourceType,
  })
  return {
    statusListId,
    ...(publicUrl !== undefined && { statusListUrl: listAddress(publicUrl, statusListId) }),
  }
}

/** For operations that change a list. */
const changed = {
  ...named,
  resource: schemas.StatusListCreateResult.shape.resource.optional().meta({
    description: 'The published list, in the form of its type; omitted with `prefer: return=minimal`',
  }),
}

export const CreateListResult = schemas.StatusListCreateResult.extend({ ...changed, ...listAddresses }).meta({
  id: 'StatusListCreateResult',
})
export const SearchListResult = schemas.StatusListSearchResult.extend({ ...named, ...listAddresses }).meta({
  id: 'StatusListSearchResult',
})
export const UpdateListResult = schemas.StatusListUpdateResult.extend(changed).meta({
  id: 'StatusListUpdateResult',
})
export const SignListResult = schemas.StatusListSignResult.extend(changed).meta({
  id: 'StatusListSignResult',
})
export const UpdateCredentialResult = schemas.StatusListUpdateCredentialResult.extend({
  ...changed,
  published: z.boolean().meta({
    description: 'Whether the change is published; if not yet, it will be at `visibleFrom`',
  }),
}).meta({ id: 'CredentialUpdateResult' })

export const CheckListResult = schemas.StatusListCheckResult.meta({
  id: 'StatusListCheckResult',
  description: 'For several indices, whether any is set',
})

const exampleResourceId = '5e16a3f9-7c6e-4b6b-8e28-20f56780ee25'
export const exampleResourceMetadata = {
  resourceURI: `${exampleDid}/resources/${exampleResourceId}`,
  resourceCollectionId: '7bf81a20-633c-4cc7-bc4a-5a45801005e0',
  resourceId: exampleResourceId,
  resourceName: 'my-list',
  resourceType: 'StatusList2021Revocation',
  mediaType: 'application/json',
  resourceVersion: '2',
  created: '2026-01-31T09:30:00Z',
  checksum: '909e22e371a41afbb96c330a97752cf7c8856088f1f937f87decbef06cbe9ca2',
  previousVersionId: 'e66a9416-d03e-4ced-95e3-07af16e25bc5',
  nextVersionId: null,
}
export const exampleListId = hashListId({
  did: asDid(exampleDid),
  statusListName: asListName('my-list'),
  resourceType: 'StatusList2021Revocation',
})
export const exampleResource = {
  StatusList2021: {
    statusPurpose: 'revocation',
    encodedList: 'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA',
    type: 'StatusList2021Revocation',
    validFrom: '2026-01-31T09:30:00Z',
  },
  metadata: { type: 'StatusList2021Revocation', encoding: 'base64url', encrypted: false },
}
export const exampleEncryptedResource = {
  StatusList2021: {
    ...exampleResource.StatusList2021,
    encodedList: 'y6kWc1YxVZ0rJm3b2fKq8pJkN1uHgO6ZB3mWcQ4tD8oXxLQ5eR7sT9vUwYzAbCdE',
  },
  metadata: {
    ...exampleResource.metadata,
    encrypted: true,
    encryption: 'A256GCM',
    paymentConditions: [
      {
        type: 'timelockPayment',
        feePaymentAddress: 'cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5',
        feePaymentAmount: '20000000000ncheq',
        feePaymentWindow: 10,
        intervalInSeconds: 600,
      },
    ],
  },
}
