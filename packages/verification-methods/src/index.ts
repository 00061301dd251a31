export * from './allowed-methods.js'
export * from './certified-signer.js'
export * from './did-documents.js'
export { compressedHex, keyHexOfMethod } from './key-bytes.js'
export * from './key-pairs.js'
export { isOfLowOrder } from './low-order.js'
export { toLowS } from './low-s.js'
export { jwkThumbprintUri, methodNamedByKid } from './named-method.js'
export * from './private-key.js'
export { publicKeyOfMethod } from './public-key-of-method.js'
export { isKeyType, isSameKey, isSamePublicKey, publicKeyHexOf, publicKeyOfBytes } from './public-key.js'
export type { KeyType, PublicJwk, PublicKey } from './public-key.js'
export * from './public-keys-of-document.js'
export {
  signingKeyOfManagedKey,
  signingKeyOfMethod,
  type SigningKey,
  type SigningKeyType,
} from './signing-key.js'
export { unsupportedKeyOf } from './unsupported-key.js'
export * from './verify-signature.js'
export {
  isSameVerifyingKey,
  isSigningKey,
  RSA,
  verifyingKeyOfMethod,
  type P384Key,
  type VerifyingKey,
} from './verifying-key.js'
