import { isJsonObject, isPointInTime, type Problem } from '@vidimus/core-types'
import { WEB_DID } from '../operations/did-creation-request.js'
import { agreementKey, encryptedData } from './encryption-rules.js'

type Arguments = Readonly<Record<string, unknown>>
type Rule = (args: Arguments) => Problem[]

/** Veramo's tables of credentials are shared by all accounts. */
const unsaved: Rule = ({ save }) =>
  save === undefined || save === false
    ? []
    : [{ path: 'save', message: 'is not possible here: stored credentials have no owners' }]

/** Veramo leaves out of the JWT what is no date: such a credential would never expire. */
const dated =
  (member: string): Rule =>
  ({ [member]: document }) =>
    ['issuanceDate', 'expirationDate']
      .filter(
        (name) => isJsonObject(document) && document[name] !== undefined && !isPointInTime(document[name]),
      )
      .map((name) => ({ path: `${member}.${name}`, message: 'must be an ISO 8601 date and time' }))

/** The library that makes the JWT takes `id` for its `sub`, and fails where nothing else is said, or of several. */
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

/** Without a name Veramo's provider makes did:web:undefined. */
const named: Rule = ({ provider, alias }) =>
  provider !== 'did:web' || (typeof alias === 'string' && WEB_DID.test(`did:web:${alias}`))
    ? []
    : [{ path: 'alias', message: 'must name the host of the did:web, such as example.com' }]

/** What the schemas of Veramo's plugins leave open, and what would go wrong. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  createVerifiableCredential: [unsaved, dated('credential'), aboutSomething],
  createVerifiablePresentation: [unsaved, dated('presentation')],
  didManagerCreate: [named],
  didManagerGetOrCreate: [named],
  keyManagerDecryptJWE: [encryptedData],
  keyManagerEncryptJWE: [agreementKey('to')],
  keyManagerSharedSecret: [agreementKey('publicKey')],
}

/** What speaks against arguments beside the schema of the method. */
export const ruleProblems = (method: string, args: Arguments): Problem[] =>
  Object.hasOwn(RULES, method) ? (RULES[method] ?? []).flatMap((rule) => rule(args)) : []
