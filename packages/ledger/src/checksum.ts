import { createHash } from 'node:crypto'

/** The checksum of a resource: SHA-256 in lower-case hex. */
export const checksumOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')
