export { JwkDIDProvider, KeyDIDProvider, WebDIDProvider } from './did-providers.js'
export type { KeyOptions } from './key-options.js'
export { getKeyDidResolver } from './key-did-resolver.js'
