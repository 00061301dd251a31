import { z } from 'zod'
import { exampleDid } from './did.js'
import { object } from './primitives.js'

export const DidResolution = z
  .object({
    didDocument: object('The DID document').nullable(),
    didResolutionMetadata: object('About the resolution'),
    didDocumentMetadata: object('About the document, such as `deactivated` and `versionId`'),
  })
  .meta({ id: 'DidResolution', description: 'A DID resolution result (DID Core 7.1)' })

export const exampleResolution = {
  didDocument: { '@context': ['https://www.w3.org/ns/did/v1'], id: exampleDid, verificationMethod: [] },
  didResolutionMetadata: { contentType: 'application/did+ld+json' },
  didDocumentMetadata: { versionId: '6a7d1cd5-4a1f-4ad6-9e2c-5d0ee8c2c0ee' },
}
