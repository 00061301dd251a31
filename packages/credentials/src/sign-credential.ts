import {
  atPaths,
  formatPath,
  isDid,
  problemsError,
  type CredentialFormat,
  type CredentialIssueArgs,
  type CredentialSignArgs,
  type NewCredentialArgs,
  type Problem,
  type SecuredCredential,
  type SigningContext,
} from '@vidimus/core-types'
import { issueCredential } from './issue-credential.js'
import { jwtEnvelope } from './jose/jose-form.js'
import { asList } from './jwt/contradictions.js'
import { subjectIds } from './jwt/read-credential.js'
import { isOfModel1, newCredentialProblems1 } from './model-1.js'
import { credentialProblems2, valueOrId } from './model-2.js'
import { requestedStatusProblems } from './status/requested-status.js'

/** With status requests that were already checked individually. */
type CheckedArgs = Omit<CredentialSignArgs, 'credentialStatus'> & { credentialStatus?: unknown }

/**
 * Signs a credential as written by its issuer, of data model 2.0 or, in formats that can, of 1.1; the requirements of {@link issueCredential} apply.
 *
 * @returns the credential with its proof, or an `EnvelopedVerifiableCredential` with the text that secures it
 * @throws AgentError as {@link issueCredential}, with details at `credential`, `credentialStatus` and `format`
 */
export async function signCredential(
  { credential, format: id, credentialId, credentialStatus }: CheckedArgs,
  formats: readonly CredentialFormat[],
  now: Date,
  context: SigningContext,
): Promise<SecuredCredential> {
  const problems = documentProblems(credential, credentialId)
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const format = formatFor(id, formats, isOfModel1(credential))
  const asked = asList(credentialStatus)
  const { credentialStatus: own, ...document } = credential
  const ready = asList(own)
  const args: NewCredentialArgs = {
    ...newArgs(document, credentialId),
    credentialStatus: allStatuses(own, credentialStatus),
  }
  const placeOf = (path: string) => callersPath(path, ready.length, asked.length)
  const issued = await atPaths(placeOf, () => issueCredential(args, format, now, context))
  const { jwt } = issued.proof as { jwt?: string }
  if (jwt === undefined) return issued as SecuredCredential
  const [mediaType = ''] = format.mediaTypes
  const typ = mediaType.replace(/^application\//, '')
  return jwtEnvelope({ typ, enveloped: 'EnvelopedVerifiableCredential' }, jwt) as SecuredCredential
}

function documentProblems(credential: Record<string, unknown>, credentialId: string | undefined): Problem[] {
  const problems = [
    ...modelProblems(credential).map(({ message }) => ({ path: 'credential', message })),
    ...requestedStatusProblems(credential.credentialStatus).map(({ path, message }) => ({
      path: formatPath(['credential', 'credentialStatus', ...path]),
      message,
    })),
  ]
  if (credential.proof !== undefined) {
    problems.push({ path: 'credential.proof', message: 'must be omitted: a credential is signed once' })
  }
  if (credentialId !== undefined && credential.id !== undefined && credential.id !== credentialId) {
    problems.push({ path: 'credentialId', message: 'must be the id of the credential, if it has one' })
  }
  return problems
}

const modelProblems = (credential: Record<string, unknown>): Problem[] =>
  isOfModel1(credential) ? newCredentialProblems1(credential) : credentialProblems2(credential)

/** The first format that supports the whole document, unless the caller names one. */
function formatFor(
  id: string | undefined,
  formats: readonly CredentialFormat[],
  isModel1: boolean,
): CredentialFormat {
  const able = formats.filter(
    ({ ownArguments = [], signsModel1 = false }) =>
      ownArguments.includes('document') && (signsModel1 || !isModel1),
  )
  const format = able.find((one) => id === undefined || one.id === id)
  if (format) return format
  const model = isModel1 ? ' of the data model 1.1' : ''
  const message = `must be one that signs credentials${model} as they are: ${able.map((one) => one.id).join(', ')}`
  throw problemsError('invalid_input', [{ path: 'format', message }])
}

/** The requirements on a valid document, reported in terms of the arguments. */
function newArgs(document: Record<string, unknown>, credentialId: string | undefined): NewCredentialArgs {
  const {
    id = credentialId,
    issuer,
    credentialSubject,
    issuanceDate,
    validFrom = isOfModel1(document) ? issuanceDate : undefined,
    expirationDate,
    validUntil = isOfModel1(document) ? expirationDate : undefined,
  } = document as Record<string, unknown> & {
    id?: string
    issuanceDate?: string
    validFrom?: string
    expirationDate?: string
    validUntil?: string
  }
  const [subjectDid, ...others] = subjectIds(credentialSubject)
  return {
    issuerDid: String(valueOrId(issuer)),
    attributes: {},
    document,
    ...(id !== undefined && { credentialId: id }),
    ...(isDid(subjectDid) && others.length === 0 && { subjectDid }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  }
}

/** A single entry stays a single entry. */
function allStatuses(own: unknown, asked: unknown): CredentialIssueArgs['credentialStatus'] {
  if (asked === undefined) return own as CredentialIssueArgs['credentialStatus']
  if (own === undefined) return asked as CredentialIssueArgs['credentialStatus']
  return [...asList(own), ...asList(asked)] as CredentialIssueArgs['credentialStatus']
}

/** Reports a refusal at the caller's own field. */
function callersPath(path: string, ready: number, asked: number): string {
  const [, n, below = ''] = /^credentialStatus(?:\[(\d+)\])?(.*)$/.exec(path) ?? []
  if (path.startsWith('credentialStatus')) {
    const index = Number(n ?? 0)
    if (index < ready) return `credential.credentialStatus${n === undefined ? '' : `[${n}]`}${below}`
    return `credentialStatus${asked > 1 ? `[${index - ready}]` : ''}${below}`
  }
  if (path === 'issuerDid') return 'credential.issuer'
  if (path === 'validFrom' || path === 'validUntil') return `credential.${path}`
  return path.startsWith('document') ? path.replace('document', 'credential') : 'credential'
}
