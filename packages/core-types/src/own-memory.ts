/**
 * The same bytes in memory of their own. Node.js cuts small buffers out of larger pieces, which stay as long as any of
 * their parts: what is remembered must not keep what it was cut from.
 */
export const ownMemory = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
