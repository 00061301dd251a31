export { DirectoryPublisher } from './directory-publisher.js'
export type { DirectoryPublisherOptions } from './options.js'
