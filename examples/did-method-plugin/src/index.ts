export { DocumentFolder, type FiledDocument } from './document-folder.js'
export { FolderDIDProvider, type FolderDIDProviderOptions } from './folder-did-provider.js'
export { getFolderDidResolver } from './folder-did-resolver.js'
