export { migrations } from './migrations/index.js'
export type { PublicationOptions } from './options.js'
export { Publication, type VerifiedPublication } from './publication.js'
