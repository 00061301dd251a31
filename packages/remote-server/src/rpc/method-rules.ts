import { isJsonObject, isPointInTime, type Problem } from '@vidimus/core-types'
import { WEB_DID } from '../operations/did-creation-request.js'
import { agreementKey, encryptedData } from './encryption-rules.js'

type Arguments = Readonly<Record<string, unknown>>
type Rule = (args: Arguments) => Problem[]

/** Veramo's credential tables are shared by all accounts. */
const unsaved: Rule = ({ save }) =>
  save === undefined || save === false
    ? []
    : [{ path: 'save', message: 'is not possible here: stored credentials have no owners' }]

/** Veramo omits invalid dates from the JWT: such a credential would never expire. */
const dated =
  (member: string): Rule =>
  ({ [member]: document }) =>
    ['issuanceDate', 'expirationDate']
      .filter(
        (name) => isJsonObject(document) && document[name] !== undefined && !isPointInTime(document[name]),
      )
      .map((name) => ({ path: `${member}.${name}`, message: 'must be an ISO 8601 date and time' }))

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

/** Without a name Veramo's provider creates did:web:undefined. */
const named: Rule = ({ provider, alias }) =>
  provider !== 'did:web' || (typeof alias === 'string' && WEB_DID.test(`did:web:${alias}`))
    ? []
    : [{ path: 'alias', message: 'must name the host of the did:web, such as example.com' }]

/** Rules for errors that the schemas of Veramo's plugins do not catch. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  createVerifiableCredential: [unsaved, dated('credential'), aboutSomething],
  createVerifiablePresentation: [unsaved, dated('presentation')],
  didManagerCreate: [named],
  didManagerGetOrCreate: [named],
  keyManagerDecryptJWE: [encryptedData],
  keyManagerEncryptJWE: [agreementKey('to')],
  keyManagerSharedSecret: [agreementKey('publicKey')],
}

/** Problems of arguments besides those found by the schema of the method. */
export const ruleProblems = (method: string, args: Arguments): Problem[] =>
  Object.hasOwn(RULES, method) ? (RULES[method] ?? []).flatMap((rule) => rule(args)) : []
