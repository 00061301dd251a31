export { getJwkDidResolver } from './jwk-did-resolver.js'
