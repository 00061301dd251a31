import {
  type AgentError,
  bytesOfBase64Url,
  isJsonObject,
  parseForeignJson,
  problemsError,
  VERIFYING_ALGORITHMS,
} from '@vidimus/core-types'

/** The `alg` values that a JWT may have. */
const JWT_ALGORITHMS: readonly string[] = Object.values(VERIFYING_ALGORITHMS).flat()

/** A parsed, unverified JWT. */
export interface ParsedJwt {
  header: Record<string, unknown> & { alg: string }
  payload: Record<string, unknown>
  signature: Uint8Array
  /** the signed text: the first two parts with the dot between them */
  signingInput: string
}

/** The JWT claim that contains the document: a credential or a presentation. */
export type Envelope = 'vc' | 'vp'

/**
 * Parses a JWT in JWS compact serialization strictly: three parts in canonical base64url, header and payload JSON
 * objects in UTF-8, a supported `alg`. Canonical means that the unused bits of a part's last character are zero, so
 * that no two texts are the same JWT.
 *
 * @throws AgentError `invalid_credential`, `algorithm_not_supported`, their detail at the path `jwt`
 * @see RFC 7515 sections 5.2 and 4.1.11 (`crit`), RFC 7519 section 7.2, RFC 8725 section 3.1 (`alg`)
 */
export function parseJwt(jwt: unknown): ParsedJwt {
  if (typeof jwt !== 'string') throw notJwt('a JWT must be a string')
  const parts = jwt.split('.')
  const [encodedHeader, encodedPayload, encodedSignature] = parts
  if (parts.length !== 3 || !encodedHeader || !encodedPayload || !encodedSignature) {
    throw notJwt('not a signed JWT (expected three dot-separated parts)')
  }
  const header = parseObject(encodedHeader, 'header')
  const payload = parseObject(encodedPayload, 'payload')
  const { alg } = header
  if (typeof alg !== 'string' || !JWT_ALGORITHMS.includes(alg)) {
    const found = typeof alg === 'string' ? `"${alg.slice(0, 20)}"` : 'missing'
    const message = `the alg of the JWT is ${found}, which is not supported; it must be one of ${JWT_ALGORITHMS.join(', ')}`
    throw problemsError('algorithm_not_supported', [{ path: 'jwt', message }])
  }
  if ('crit' in header) throw notJwt('the JWT demands extensions (crit) that are not supported')
  const signature = decodeBase64url(encodedSignature, 'signature')
  return {
    header: { ...header, alg },
    payload,
    signature,
    signingInput: `${encodedHeader}.${encodedPayload}`,
  }
}

function parseObject(encoded: string, part: string): Record<string, unknown> {
  const bytes = decodeBase64url(encoded, part)
  let value: unknown
  try {
    value = parseForeignJson(bytes)
  } catch {
    throw notJwt(`the ${part} of the JWT is not JSON, or is nested too deeply`)
  }
  if (!isJsonObject(value)) throw notJwt(`the ${part} of the JWT is not a JSON object`)
  return value
}

function decodeBase64url(encoded: string, part: string): Buffer {
  const bytes = bytesOfBase64Url(encoded)
  if (!bytes) throw notJwt(`the ${part} of the JWT is not base64url without padding`)
  return bytes
}

const notJwt = (message: string): AgentError =>
  problemsError('invalid_credential', [{ path: 'jwt', message }])
