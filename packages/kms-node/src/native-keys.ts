import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'

/** What node:crypto does for one type of key; formats as those of `@veramo/kms-local`. */
export interface NativeKeyType {
  /** `meta.algorithms` */
  readonly algorithms: readonly string[]
  /** A new private key, as it is stored, and its public key as `publicKeyHex` has it. */
  generate(): { privateKeyHex: string; publicKeyHex: string }
  /** @throws where the 32 bytes are no private key of this type */
  keyObject(privateKey: Buffer): KeyObject
  /** The public key, first as `publicKeyHex` has it, then in the other encodings that callers use; lower case. */
  publicKeysHex(privateKey: Buffer): [string, ...string[]]
}

interface Curve {
  /** as OpenSSL names it */
  name: string
  /** SEC 1 (RFC 5915) before and after the 32 bytes of the private key; without public key, which OpenSSL derives */
  sec1: readonly [string, string]
  /** which encoding of the point `publicKeyHex` has */
  point: 'compressed' | 'uncompressed'
}

/** PKCS #8 (RFC 8410) before the 32 bytes of the private key. */
const PKCS8 = {
  Ed25519: '302e020100300506032b657004220420',
  X25519: '302e020100300506032b656e04220420',
} as const

const SECP256R1: Curve = {
  name: 'prime256v1',
  sec1: ['30310201010420', 'a00a06082a8648ce3d030107'],
  point: 'compressed',
}

const SECP256K1: Curve = {
  name: 'secp256k1',
  sec1: ['302e0201010420', 'a00706052b8104000a'],
  point: 'uncompressed',
}

const ed25519: NativeKeyType = {
  algorithms: ['EdDSA', 'Ed25519'],
  generate: () => {
    const { privateKeyHex, publicKeyHex } = okpPair(generateKeyPairSync('ed25519').privateKey)
    return { privateKeyHex: privateKeyHex + publicKeyHex, publicKeyHex }
  },
  keyObject: (privateKey) => okpKey(PKCS8.Ed25519, privateKey),
  publicKeysHex: (privateKey) => [okpPublicKeyHex(okpKey(PKCS8.Ed25519, privateKey))],
}

const x25519: NativeKeyType = {
  algorithms: ['ECDH', 'ECDH-ES', 'ECDH-1PU'],
  generate: () => okpPair(generateKeyPairSync('x25519').privateKey),
  keyObject: (privateKey) => okpKey(PKCS8.X25519, privateKey),
  publicKeysHex: (privateKey) => [okpPublicKeyHex(okpKey(PKCS8.X25519, privateKey))],
}

const NATIVE_KEY_TYPES: ReadonlyMap<string, NativeKeyType> = new Map([
  ['Ed25519', ed25519],
  ['X25519', x25519],
  ['Secp256r1', ecKeyType(SECP256R1, ['ES256'])],
  [
    'Secp256k1',
    ecKeyType(SECP256K1, [
      'ES256K',
      'ES256K-R',
      'eth_signTransaction',
      'eth_signTypedData',
      'eth_signMessage',
      'eth_rawSign',
    ]),
  ],
])

export const nativeKeyType = (type: string): NativeKeyType | undefined => NATIVE_KEY_TYPES.get(type)

export const nativeKeyTypeNames = (): string[] => [...NATIVE_KEY_TYPES.keys()]

// From the key that was made, as reading one again takes ten times as long as making it.
function okpPair(key: KeyObject): { privateKeyHex: string; publicKeyHex: string } {
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const hex = (text: string) => Buffer.from(text, 'base64url').toString('hex')
  return { privateKeyHex: hex(d), publicKeyHex: hex(x) }
}

function okpKey(pkcs8: string, privateKey: Buffer): KeyObject {
  const key = Buffer.concat([Buffer.from(pkcs8, 'hex'), privateKey])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const okpPublicKeyHex = (key: KeyObject) =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')

function ecKeyType({ name, sec1, point }: Curve, algorithms: readonly string[]): NativeKeyType {
  const [before, after] = sec1
  const other = point === 'compressed' ? 'uncompressed' : 'compressed'
  return {
    algorithms,
    generate: () => {
      const ecdh = createECDH(name)
      ecdh.generateKeys()
      // OpenSSL leaves out leading zeros.
      const privateKeyHex = ecdh.getPrivateKey('hex').padStart(64, '0')
      return { privateKeyHex, publicKeyHex: ecdh.getPublicKey('hex', point) }
    },
    keyObject: (privateKey) => {
      const key = Buffer.concat([Buffer.from(before, 'hex'), privateKey, Buffer.from(after, 'hex')])
      return createPrivateKey({ key, format: 'der', type: 'sec1' })
    },
    publicKeysHex: (privateKey) => {
      const ecdh = createECDH(name)
      // Refuses 0 and everything from the order of the curve on.
      ecdh.setPrivateKey(privateKey)
      return [ecdh.getPublicKey('hex', point), ecdh.getPublicKey('hex', other)]
    },
  }
}
