import { BOUNDS, isJsonObject, type Problem } from '@vidimus/core-types'
import { DIGEST_ALGORITHM, DIGESTS, ELEMENT_DIGEST, type Disclosed } from './parse-sd-jwt.js'

/** Decoy digests, which hide the number of undisclosed claims. */
const DECOYS = '_sd_decoy'

/** Names with a meaning in an SD-JWT; not every library treats the last one as an ordinary member. */
const RESERVED = [DIGESTS, ELEMENT_DIGEST, DIGEST_ALGORITHM, '__proto__']

/**
 * Claims in a disclosure frame that are absent or used incorrectly.
 *
 * @param claims - the claims that the frame describes
 */
export function disclosureFrameProblems(
  frame: unknown,
  claims: unknown,
  path = 'disclosureFrame',
): Problem[] {
  const refuse = (at: string, message: string): Problem[] => [{ path: at, message }]
  if (!isJsonObject(frame)) return refuse(path, 'must be an object')
  if (typeof claims !== 'object' || claims === null) return refuse(path, 'names no object or list')
  const { [DIGESTS]: hidden = [], [DECOYS]: decoys = 0, ...members } = frame
  const problems: Problem[] = []
  if (!Array.isArray(hidden)) problems.push(...refuse(`${path}.${DIGESTS}`, 'must be a list'))
  else if (new Set(hidden).size < hidden.length) {
    problems.push(...refuse(`${path}.${DIGESTS}`, 'must not name a claim twice'))
  } else {
    const wrong = hidden.flatMap((name: unknown, n) => (isMember(claims, name) ? [] : [n]))
    const message = 'names a claim that does not exist; list elements are named by their index'
    problems.push(...wrong.map((n) => ({ path: `${path}.${DIGESTS}[${n}]`, message })))
  }
  if (!Number.isInteger(decoys) || Number(decoys) < 0 || Number(decoys) > BOUNDS.disclosures) {
    const message = `must be a whole number from 0 to ${BOUNDS.disclosures}`
    problems.push(...refuse(`${path}.${DECOYS}`, message))
  }
  for (const [name, inner] of Object.entries(members)) {
    const value: unknown = Object.hasOwn(claims, name) ? (claims as Record<string, unknown>)[name] : undefined
    problems.push(...disclosureFrameProblems(inner, value, `${path}.${name}`))
  }
  return problems
}

const isMember = (claims: object, name: unknown): boolean =>
  Array.isArray(claims)
    ? Number.isInteger(name) && Number(name) >= 0 && Number(name) < claims.length
    : typeof name === 'string' && Object.hasOwn(claims, name)

/** Whether a claim has a name that is reserved for digests. */
export function reservedNames(value: unknown, path: string): Problem[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    const isReserved = !Array.isArray(value) && RESERVED.includes(name)
    return isReserved ? [{ path: at, message: 'is a reserved claim name' }] : reservedNames(inner, at)
  })
}

/**
 * The disclosures that a frame selects: `true` discloses a claim; an object discloses nested claims and the claim that
 * contains them.
 *
 * @param under - the claims that the frame describes, below the SD-JWT
 * @returns names in the frame that are not claims of the credential, as problems
 */
export function chosenDisclosures(
  frame: Record<string, unknown>,
  claims: unknown,
  disclosed: readonly Disclosed[],
  under: readonly string[],
): { texts: string[]; problems: Problem[] } {
  const wanted = new Set<string>()
  const problems = frameProblems(frame, claims, 'presentationFrame', under, wanted)
  const texts = disclosed.filter(({ path }) => wanted.has(JSON.stringify(path))).map(({ text }) => text)
  return { texts, problems }
}

function frameProblems(
  frame: Record<string, unknown>,
  claims: unknown,
  path: string,
  under: readonly string[],
  wanted: Set<string>,
): Problem[] {
  return Object.entries(frame).flatMap(([name, choice]): Problem[] => {
    const at = `${path}.${name}`
    if (typeof claims !== 'object' || claims === null || !Object.hasOwn(claims, name)) {
      return [{ path: at, message: 'names no claim of the credential' }]
    }
    const place = [...under, name]
    if (choice === false) return []
    if (choice !== true && !isJsonObject(choice)) {
      return [{ path: at, message: 'must be true, false, or an object that selects nested claims' }]
    }
    wanted.add(JSON.stringify(place))
    if (choice === true) return []
    return frameProblems(choice, (claims as Record<string, unknown>)[name], at, place, wanted)
  })
}
