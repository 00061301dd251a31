/** The members of the metadata of a DID-Linked Resource, in their order (section 2.8 of the API contract). */
export const RESOURCE_MEMBERS = [
  'resourceURI',
  'resourceCollectionId',
  'resourceId',
  'resourceName',
  'resourceType',
  'mediaType',
  'resourceVersion',
  'created',
  'checksum',
  'previousVersionId',
  'nextVersionId',
]
