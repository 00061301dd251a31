import { createHash } from 'node:crypto'
import {
  BOUNDS,
  bytesOfBase64Url,
  isJsonObject,
  parseForeignJson,
  problemsError,
  type AgentError,
} from '@vidimus/core-types'
import { parseJwt, type ParsedJwt } from '../jwt/jwt-form.js'
import { SEPARATOR } from './sd-jwt-form.js'

/** Names of digests, which claims must not use (RFC 9901 section 4.2.1). */
export const DIGESTS = '_sd'
export const ELEMENT_DIGEST = '...'
export const DIGEST_ALGORITHM = '_sd_alg'

/** Node.js names of the hash functions allowed in an SD-JWT (RFC 9901 section 4.1.1). */
const HASHES: Record<string, string> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' }

export const DEFAULT_HASH = 'sha-256'

/** A disclosed claim. */
export interface Disclosed {
  /** in base64url, as in the SD-JWT */
  text: string
  /** member names and list indices, counted with everything disclosed */
  path: readonly string[]
}

/** An SD-JWT with its disclosures applied; nothing is verified yet. */
export interface ParsedSdJwt {
  parsed: ParsedJwt
  /** the JWT only */
  jwt: string
  /** the JWT with its disclosures, in canonical form */
  text: string
  /** its content, without digests */
  claims: Record<string, unknown>
  disclosed: readonly Disclosed[]
  /** paths of objects and lists that have digests, whether disclosed or not */
  hiding: readonly (readonly string[])[]
  /** `_sd_alg`, or its default */
  hash: string
}

/**
 * Parses an SD-JWT and replaces digests by their disclosures, strictly: each digest occurs once, each disclosure
 * matches one digest, and no claim overwrites another.
 *
 * @param sdJwt - with the trailing separator, and without a key binding JWT
 * @throws AgentError `invalid_credential`, its detail at the path `jwt`
 * @see RFC 9901 section 7.1
 */
export function parseSdJwt(sdJwt: string): ParsedSdJwt {
  const [jwt = '', ...texts] = sdJwt.split(SEPARATOR)
  if (texts.pop() !== '') throw refused(`an SD-JWT without key binding must end with "${SEPARATOR}"`)
  if (texts.length > BOUNDS.disclosures) {
    throw refused(`it has ${texts.length} disclosures, more than ${BOUNDS.disclosures}`)
  }
  const parsed = parseJwt(jwt)
  const { [DIGEST_ALGORITHM]: hash = DEFAULT_HASH, ...payload } = parsed.payload
  const disclosures = new Disclosures(texts, hash)
  const claims = disclosures.revealedIn(payload)
  const disclosed = disclosures.placed()
  return { parsed, jwt, text: sdJwt, claims, disclosed, hiding: disclosures.hiding, hash: String(hash) }
}

/** The digest of a text in the encoding of SD-JWT; `undefined` for an unknown hash function. */
export function digestOf(text: string, hash: unknown): string | undefined {
  const name = typeof hash === 'string' && Object.hasOwn(HASHES, hash) ? HASHES[hash] : undefined
  return name === undefined ? undefined : createHash(name).update(text).digest('base64url')
}

interface Disclosure {
  text: string
  /** absent: an element of a list */
  name?: string
  value: unknown
}

class Disclosures {
  readonly #byDigest = new Map<string, Disclosure>()
  readonly #digests = new Set<string>()
  readonly #placed: Disclosed[] = []
  readonly hiding: (readonly string[])[] = []

  constructor(texts: readonly string[], hash: unknown) {
    for (const text of texts) {
      const digest = digestOf(text, hash)
      if (digest === undefined) {
        const known = Object.keys(HASHES).join(', ')
        throw refused(`its ${DIGEST_ALGORITHM} must be one of ${known}`)
      }
      if (this.#byDigest.has(digest)) throw refused('it contains a disclosure twice')
      this.#byDigest.set(digest, parseDisclosure(text))
    }
  }

  /** @throws AgentError `invalid_credential` */
  revealedIn(payload: Record<string, unknown>): Record<string, unknown> {
    return this.#object(payload, [])
  }

  /** @throws AgentError `invalid_credential` if a disclosure matches no digest */
  placed(): readonly Disclosed[] {
    if (this.#placed.length === this.#byDigest.size) return this.#placed
    throw refused('it contains a disclosure without a signed digest')
  }

  #value(value: unknown, path: readonly string[]): unknown {
    // Each disclosure is separate JSON, so a chain of them can be nested deeper than any single one.
    if (path.length > BOUNDS.jsonLevels) throw refused(`it is nested deeper than ${BOUNDS.jsonLevels} levels`)
    if (Array.isArray(value)) return this.#list(value, path)
    return isJsonObject(value) ? this.#object(value, path) : value
  }

  #list(list: readonly unknown[], path: readonly string[]): unknown[] {
    const shown: unknown[] = []
    for (const element of list) {
      const place = [...path, String(shown.length)]
      if (!isJsonObject(element) || !Object.hasOwn(element, ELEMENT_DIGEST)) {
        shown.push(this.#value(element, place))
        continue
      }
      this.hiding.push(path)
      if (Object.keys(element).length > 1) throw refused(`a list element has members besides its digest`)
      const found = this.#take(element[ELEMENT_DIGEST], place)
      if (!found) continue
      if (found.name !== undefined) throw refused('a disclosure of a claim is used for a list element')
      shown.push(this.#value(found.value, place))
    }
    return shown
  }

  #object(object: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
    const { [DIGESTS]: digests = [], ...open } = object
    if (Object.hasOwn(open, ELEMENT_DIGEST)) throw refused(`"${ELEMENT_DIGEST}" is a reserved claim name`)
    if (!Array.isArray(digests)) throw refused(`its ${DIGESTS} must be a list of digests`)
    if (digests.length > 0) this.hiding.push(path)
    const members = new Map(
      Object.entries(open).map(([name, value]) => [name, this.#value(value, [...path, name])]),
    )
    for (const digest of digests as unknown[]) {
      const found = this.#take(digest, path)
      if (!found) continue
      const { name, value } = found
      if (name === undefined) throw refused('a disclosure of a list element is used for a claim')
      if (members.has(name)) throw refused(`it contains the claim "${name}" twice`)
      members.set(name, this.#value(value, [...path, name]))
    }
    return Object.fromEntries(members)
  }

  /** @param place - of the element, or of the object that contains the claim */
  #take(digest: unknown, place: readonly string[]): Disclosure | undefined {
    if (typeof digest !== 'string') throw refused('a digest in it must be a string')
    if (this.#digests.has(digest)) throw refused('it contains a digest twice')
    this.#digests.add(digest)
    const found = this.#byDigest.get(digest)
    if (!found) return undefined
    const { text, name } = found
    this.#placed.push({ text, path: name === undefined ? place : [...place, name] })
    return found
  }
}

/** @see RFC 9901 section 4.2 */
function parseDisclosure(text: string): Disclosure {
  const parts = disclosureParts(text)
  const [salt, second, third] = parts
  if (typeof salt !== 'string' || parts.length < 2 || parts.length > 3) {
    throw refused('a disclosure must be a list of salt, name and value, or of salt and value')
  }
  if (parts.length === 2) return { text, value: second }
  if (typeof second !== 'string' || second === DIGESTS || second === ELEMENT_DIGEST) {
    throw refused('the name of a disclosed claim must be a string, and not a reserved name')
  }
  return { text, name: second, value: third }
}

function disclosureParts(text: string): unknown[] {
  const bytes = bytesOfBase64Url(text)
  try {
    const parts = bytes && parseForeignJson(bytes)
    if (Array.isArray(parts)) return parts as unknown[]
  } catch {
    // rejected below
  }
  throw refused('a disclosure is not a base64url JSON list, or is nested too deeply')
}

const refused = (message: string): AgentError =>
  problemsError('invalid_credential', [{ path: 'jwt', message }])
