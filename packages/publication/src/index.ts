export { migrations } from './baseline.js'
export type { PublicationOptions } from './options.js'
export { Publication, type VerifiedPublication } from './publication.js'
