export type { S3PublisherOptions } from './options.js'
export { S3Publisher } from './s3-publisher.js'
