import {
  BOUNDS,
  bytesOfBase64Url,
  isJsonObject,
  isLongerThan,
  parseForeignJson,
  pointInTime,
  type Problem,
} from '@vidimus/core-types'
import { WEB_DID } from '../operations/did-creation-request.js'
import { agreementKey, encryptedData } from './encryption-rules.js'

type Arguments = Readonly<Record<string, unknown>>
type Rule = (args: Arguments) => Problem[]

/** Veramo's credential tables are shared by all accounts. */
const unsaved: Rule = ({ save }) =>
  save === undefined || save === false
    ? []
    : [{ path: 'save', message: 'is not possible here: stored credentials have no owners' }]

/** The JWT library takes seconds of twelve digits for milliseconds. */
const TWELVE_DIGITS = 100_000_000_000

/** Veramo omits invalid dates from the JWT: such a credential would never expire. */
function flawOfDate(date: unknown): string | undefined {
  const time = pointInTime(date)
  if (time === undefined) return 'must be an ISO 8601 date and time'
  return Date.parse(time) < TWELVE_DIGITS * 1000 ? undefined : 'must be before 5138-11-16T09:46:40Z'
}

const flawOfSeconds = (time: unknown): string | undefined =>
  typeof time === 'number' && Number.isInteger(time) && time >= 0 && time < TWELVE_DIGITS
    ? undefined
    : `must be in whole seconds, from 0 to ${TWELVE_DIGITS - 1}`

const DATES = ['issuanceDate', 'expirationDate']
const SECONDS = ['iat', 'nbf', 'exp']

const memberProblems = (
  document: unknown,
  path: string,
  names: readonly string[],
  flawOf: (value: unknown) => string | undefined,
): Problem[] =>
  names.flatMap((name) => {
    const value = isJsonObject(document) ? document[name] : undefined
    const message = value === undefined ? undefined : flawOf(value)
    return message === undefined ? [] : [{ path: path === '' ? name : `${path}.${name}`, message }]
  })

/** @param claim - the member by which the document may have the content of the JWT itself */
const signable =
  (member: string, claim: 'vc' | 'vp'): Rule =>
  ({ [member]: document, ...args }) => [
    ...memberProblems(document, member, DATES, flawOfDate),
    ...memberProblems(document, member, SECONDS, flawOfSeconds),
    ...memberProblems(document, member, [claim], (content) =>
      isJsonObject(content) ? undefined : 'must be an object',
    ),
    ...memberProblems(args, '', ['now', 'expiresIn'], (time) =>
      typeof time === 'number' ? flawOfSeconds(time) : undefined,
    ),
  ]

/** The JWT library uses `id` as `sub`, and fails without further members or with several subjects. */
const aboutSomething: Rule = ({ credential }) => {
  const subject = isJsonObject(credential) ? credential.credentialSubject : undefined
  if (isJsonObject(subject) && Object.keys(subject).some((member) => member !== 'id')) return []
  return [
    {
      path: 'credential.credentialSubject',
      message: 'must be one object with at least one member besides id',
    },
  ]
}

/** The JWT library fails on these once the presentation is signed, when it copies and dates their content. */
const readableCredentials: Rule = ({ presentation }) => {
  if (!isJsonObject(presentation)) return []
  const { verifiableCredential, vp } = presentation
  const further = isJsonObject(vp) ? vp.verifiableCredential : undefined
  return [
    ...credentialProblems(verifiableCredential, 'presentation.verifiableCredential'),
    ...credentialProblems(further, 'presentation.vp.verifiableCredential'),
  ]
}

function credentialProblems(value: unknown, path: string): Problem[] {
  const credentials = [value ?? []].flat()
  if (credentials.length > BOUNDS.credentials)
    return [{ path, message: `must have at most ${BOUNDS.credentials} entries` }]
  return credentials.flatMap((credential, n) => {
    const at = `${path}[${n}]`
    const proof = isJsonObject(credential) ? credential.proof : undefined
    const jwt = isJsonObject(proof) && proof.jwt ? proof.jwt : credential
    // The library itself says what looks like no JWT at all.
    if (typeof jwt === 'string' && !jwt.includes('.')) return []
    const content = typeof jwt === 'string' ? contentOfJwt(jwt) : jwt
    if (!isJsonObject(content))
      return [
        { path: at, message: `must be a JWT of a JSON object with at most ${BOUNDS.jsonLevels} levels` },
      ]
    return [
      ...(content === credential ? memberProblems(content, at, DATES, flawOfDate) : []),
      ...memberProblems(content, at, SECONDS, flawOfOthersSeconds),
    ]
  })
}

/** The last second that a date of JavaScript can have. */
const LAST_SECOND = 8.64e12

/** Others may sign longer than {@link TWELVE_DIGITS}. */
const flawOfOthersSeconds = (time: unknown): string | undefined =>
  typeof time === 'number' && Math.abs(time) <= LAST_SECOND ? undefined : 'must be a time in seconds'

/** @returns `undefined` if the JWT library cannot read it, or would read another JWT inside it */
function contentOfJwt(jwt: string): Record<string, unknown> | undefined {
  const parts = jwt.split('.').map(bytesOfBase64Url)
  if (parts.length !== 3 || parts.includes(undefined)) return undefined
  const [header, content] = parts.slice(0, 2).map(parsed)
  return isJsonObject(header) && header.cty !== 'JWT' && isJsonObject(content) ? content : undefined
}

function parsed(json: Buffer | undefined): unknown {
  try {
    return json && parseForeignJson(json)
  } catch {
    return undefined
  }
}

/** The bounds of the operations that do the same. */
const bounded =
  (member: string): Rule =>
  ({ [member]: document, challenge, domain }) => {
    const {
      id,
      type,
      '@context': contexts,
      credentialSubject,
      verifier,
    } = isJsonObject(document) ? document : {}
    const subject = isJsonObject(credentialSubject) ? credentialSubject.id : undefined
    return [
      ...textProblems(id, `${member}.id`, BOUNDS.credentialId),
      ...listProblems(type, `${member}.type`),
      ...listProblems(contexts, `${member}.@context`),
      ...listProblems(verifier, `${member}.verifier`),
      ...textProblems(subject, `${member}.credentialSubject.id`, BOUNDS.did),
      ...textProblems(challenge, 'challenge', BOUNDS.claim),
      ...textProblems(domain, 'domain', BOUNDS.claim),
    ]
  }

const textProblems = (text: unknown, path: string, most: number): Problem[] =>
  typeof text === 'string' && isLongerThan(text, most)
    ? [{ path, message: `must have at most ${most} characters` }]
    : []

function listProblems(value: unknown, path: string): Problem[] {
  const list = [value].flat()
  if (list.length > BOUNDS.listedTexts)
    return [{ path, message: `must have at most ${BOUNDS.listedTexts} entries` }]
  return list.flatMap((text) => textProblems(text, path, BOUNDS.text)).slice(0, 1)
}

/** Without a name Veramo's provider creates did:web:undefined. */
const named: Rule = ({ provider, alias }) =>
  provider !== 'did:web' || (typeof alias === 'string' && WEB_DID.test(`did:web:${alias}`))
    ? []
    : [{ path: 'alias', message: 'must name the host of the did:web, such as example.com' }]

/** Rules for errors that the schemas of Veramo's plugins do not catch. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  createVerifiableCredential: [unsaved, signable('credential', 'vc'), aboutSomething, bounded('credential')],
  createVerifiablePresentation: [
    unsaved,
    signable('presentation', 'vp'),
    readableCredentials,
    bounded('presentation'),
  ],
  didManagerCreate: [named],
  didManagerGetOrCreate: [named],
  keyManagerDecryptJWE: [encryptedData],
  keyManagerEncryptJWE: [agreementKey('to')],
  keyManagerSharedSecret: [agreementKey('publicKey')],
}

/** Problems of arguments besides those found by the schema of the method. */
export const ruleProblems = (method: string, args: Arguments): Problem[] =>
  Object.hasOwn(RULES, method) ? (RULES[method] ?? []).flatMap((rule) => rule(args)) : []
