export { getWebvhDidResolver, type WebvhDidResolverOptions } from './webvh-did-resolver.js'
