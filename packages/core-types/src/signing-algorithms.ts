import { AgentError } from './errors.js'

/**
 * The `algorithm` values of each key type, the default first: RFC 7518 section 3.4, RFC 8037 section 3.1, RFC 8812
 * section 3.2, RFC 9864 section 2.2 (`Ed25519`).
 */
export const SIGNING_ALGORITHMS = {
  Ed25519: ['EdDSA', 'Ed25519'],
  Secp256r1: ['ES256'],
  Secp256k1: ['ES256K'],
} as const satisfies Record<string, readonly [string, ...string[]]>

/** Those of signatures of others, which are verified; keys of the further types are not created. RFC 7518 sections 3.3 to 3.5. */
export const VERIFYING_ALGORITHMS = {
  ...SIGNING_ALGORITHMS,
  Secp384r1: ['ES384'],
  RSA: ['RS256', 'PS256'],
} as const satisfies Record<string, readonly [string, ...string[]]>

/** The default `algorithm` of a key. @param keyType - Veramo's name. @throws AgentError `invalid_input` */
export function signingAlgorithmOf(keyType: string): string {
  requireSigningAlgorithm(undefined, keyType)
  return SIGNING_ALGORITHMS[keyType as keyof typeof SIGNING_ALGORITHMS][0]
}

const ALL: readonly string[] = Object.values(SIGNING_ALGORITHMS).flat()

/**
 * Checks an `algorithm` before asking a KMS for a signature. Third-party KMSs support more: the typed data of
 * Ethereum is an input of which some kilobytes take hours.
 *
 * @param algorithm - `undefined`: the default of the key type
 * @param keyType - Veramo's name; default: any type
 * @throws AgentError `invalid_input`
 */
export function requireSigningAlgorithm(algorithm: unknown, keyType?: string): void {
  if (keyType !== undefined && !Object.hasOwn(SIGNING_ALGORITHMS, keyType)) {
    throw refused('keyRef', `a key of type ${keyType} cannot sign`)
  }
  const possible =
    keyType === undefined ? ALL : SIGNING_ALGORITHMS[keyType as keyof typeof SIGNING_ALGORITHMS]
  if (algorithm === undefined || (possible as readonly unknown[]).includes(algorithm)) return
  const key = keyType === undefined ? '' : ` for a key of type ${keyType}`
  throw refused('algorithm', `must be one of ${possible.join(', ')}${key}, or omitted`)
}

const refused = (path: string, message: string) =>
  new AgentError('invalid_input', `${path}: ${message}`, { details: [{ path, message }] })
