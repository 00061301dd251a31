import { randomUUID } from 'node:crypto'
import type { VerifiableCredential } from '@veramo/core-types'
import {
  problemsError,
  type CredentialFormat,
  type CredentialIssueArgs,
  type DIDAct,
  type DIDHolding,
  type NewCredentialArgs,
  type Problem,
  type SigningContext,
} from '@vidimus/core-types'
import { newCredentialStatus } from './status/new-credential-status.js'
import { foreignArguments } from './format-of.js'
import { atPath } from './refusal-path.js'
import { wholeSeconds } from './validity.js'

/**
 * Issues a credential, signed with an assertion key of the issuer. Indices of status lists are allocated after all
 * other checks have passed, and the credential is registered in the same transaction; it therefore always has an id,
 * chosen by the caller or generated.
 *
 * @returns the signed content, in the shape of the data model; it shares nothing with the arguments
 * @throws AgentError `did_not_found`, `key_not_found`, `did_not_resolvable`, `did_deactivated` (at `issuerDid`),
 * `invalid_input`, and as {@link newCredentialStatus}
 */
export async function issueCredential(
  args: NewCredentialArgs,
  format: CredentialFormat,
  now: Date,
  context: SigningContext,
): Promise<VerifiableCredential> {
  const problems = [
    ...foreignArguments(args, ARGUMENTS_OF_FORMS, format),
    ...subjectProblems(args),
    ...validityProblems(args, now),
  ]
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const asked = withId(withoutSynonym(args))
  const keys = new SigningKeys(asked.issuerDid, context)
  const sign = await atPath('issuerDid', () => format.prepareIssue(asked, now, keys.context))
  const { credentialId: id, validUntil } = asked
  const register = id === undefined ? undefined : { id, ...end(validUntil), ...keys.chosen }
  const { holding } = keys
  return sign(
    await newCredentialStatus(args, { entryMember: format.statusMember, register, holding }, context),
  )
}

/** A credential with a status entry can be referred to by id. */
const withId = (args: NewCredentialArgs): NewCredentialArgs =>
  args.credentialStatus === undefined || args.credentialId !== undefined
    ? args
    : { ...args, credentialId: `urn:uuid:${randomUUID()}` }

/** In the precision of verifiers, which may be whole seconds. */
const end = (validUntil: string | undefined): { expiresAt?: string } =>
  validUntil === undefined ? {} : { expiresAt: new Date(wholeSeconds(validUntil) * 1000).toISOString() }

/** Arguments that only some formats support. */
const ARGUMENTS_OF_FORMS = ['vct', 'disclosureFrame', 'cnf', 'document'] as const

/** Formats read the end from `validUntil` only. */
function withoutSynonym({ expirationDate, ...args }: NewCredentialArgs): NewCredentialArgs {
  const { validUntil = expirationDate } = args
  return validUntil === undefined ? args : { ...args, validUntil }
}

function subjectProblems({ subjectDid, attributes }: CredentialIssueArgs): Problem[] {
  const { id } = attributes
  if (id === undefined) return []
  if (typeof id === 'string' && (subjectDid === undefined || subjectDid === id)) return []
  const message = 'must be the DID of the subject, and equal to subjectDid if that is given'
  return [{ path: 'attributes.id', message }]
}

/**
 * Refuses a credential that has already expired: most likely another date was meant. Whole documents written by their
 * issuer may have expired already, such as test documents for verifiers.
 */
function validityProblems({ validFrom, document, ...ends }: NewCredentialArgs, now: Date): Problem[] {
  const { validUntil, expirationDate } = ends
  const given = Object.entries({ expirationDate, validUntil }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const problems = given
    .filter(([, end]) => document === undefined && wholeSeconds(end) * 1000 <= now.getTime())
    .map(([path]) => ({ path, message: 'must be in the future' }))
  const [end, other] = given
  if (end && other && wholeSeconds(end[1]) !== wholeSeconds(other[1])) {
    problems.push({ path: 'validUntil', message: 'must equal expirationDate if both are given' })
  }
  if (end && validFrom !== undefined && wholeSeconds(validFrom) >= wholeSeconds(end[1])) {
    problems.push({ path: 'validFrom', message: `must be before ${end[0]}` })
  }
  return problems
}

/**
 * The key that a format chose to sign for a DID: it asks the agent for one, and a second query may return another
 * during a key rotation.
 */
class SigningKeys {
  /** for the format */
  readonly context: SigningContext
  /** of the issuer, for its status lists */
  holding: DIDHolding | undefined
  private publicKeyHex: string | undefined

  constructor(did: string, context: SigningContext) {
    const agent = Object.create(context.agent) as SigningContext['agent']
    const isIssuers = (asked: string | undefined, purpose: DIDAct | undefined) =>
      asked === did && purpose === 'assertionMethod'
    agent.didHeldKey = async (args) => {
      const held = await context.agent.didHeldKey(args)
      if (isIssuers(args?.did, args?.act)) this.publicKeyHex = held.key.publicKeyHex
      return held
    }
    agent.didHolding = async (args) => {
      const holding = await context.agent.didHolding(args)
      if (!isIssuers(args?.did, args?.purpose)) return holding
      this.publicKeyHex = holding.key.publicKeyHex
      this.holding = holding
      return holding
    }
    this.context = { ...context, agent }
  }

  /** Absent: a third-party format asked for none. */
  get chosen(): { signingKey?: string } {
    return this.publicKeyHex === undefined ? {} : { signingKey: this.publicKeyHex }
  }
}
