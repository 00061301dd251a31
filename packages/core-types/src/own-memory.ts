/**
 * The same bytes in their own memory. Node.js cuts small buffers from larger pieces, which stay as long as any of
 * their parts: cached bytes must not keep the piece that they were cut from.
 */
export const ownMemory = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
