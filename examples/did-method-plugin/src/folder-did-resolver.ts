import type { DIDResolver } from 'did-resolver'
import { DocumentFolder, isFolderDid } from './document-folder.js'

/**
 * The resolver entry of did:folder. A failed resolution is a result (DID Resolution 1.0), not an exception.
 *
 * @param options - `folder`: the path of the documents
 */
export function getFolderDidResolver({ folder }: { folder: string }): { folder: DIDResolver } {
  const documents = new DocumentFolder(folder)
  return {
    folder: async (did) => {
      if (!isFolderDid(did)) return unresolved('invalidDid')
      const filed = await documents.read(did)
      if (!filed) return unresolved('notFound')
      const { didDocument, ...didDocumentMetadata } = filed
      return {
        didDocument,
        didDocumentMetadata,
        didResolutionMetadata: { contentType: 'application/did+ld+json' },
      }
    },
  }
}

const unresolved = (error: string) => ({
  didDocument: null,
  didDocumentMetadata: {},
  didResolutionMetadata: { error },
})
