export { getWebDidResolver, type WebDidResolverOptions } from './web-did-resolver.js'
