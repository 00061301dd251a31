export { IdentityProviders } from './identity-providers.js'
export type { IdentityProvidersOptions } from './options.js'
export { migrations } from './baseline.js'
