import type { IAgentContext } from '@veramo/core-types'
import {
  AgentError,
  isDid,
  type DetachedSignature,
  type ForeignStatusList,
  type ICredentials,
  type StatusListType,
} from '@vidimus/core-types'
import {
  documentSource,
  isCertifiedIssuer,
  signerOfCertificates,
  signerOfDid,
} from '@vidimus/verification-methods'
import type { ReadingContext } from '../agent-context.js'
import type { StatusIssuer } from '../plugin-options.js'
import { signatureOfJwt } from '../encoding/compact-jwt.js'
import { distrusted } from '../versions/envelope-verification.js'
import { parseListUrl } from '../types/list-url.js'

/** Who has issued the credential that names a list, as far as that is known. */
export interface Voucher {
  issuer?: string
  /** by which it was verified, where these are certificates: in base64 DER, the leaf first */
  certificates?: readonly string[]
}

/** A list that its issuer has signed. */
export interface VerifiedForeign {
  doc: unknown
  issuer: string
  /** if its proof expires before the list does */
  validUntil?: string
}

/**
 * Verifies a list of others: it must be signed by the issuer that it names, or, if it names none, by the issuer of
 * the credential that points to it; and be for the exact address from which it was fetched.
 *
 * @param voucher - who issued that credential, as far as it is known
 * @throws AgentError `invalid_credential`, `malformed_list`, `did_not_resolvable`, `did_deactivated`
 */
export async function verifiedForeign(
  type: StatusListType,
  foreign: ForeignStatusList<unknown>,
  url: string,
  voucher: Voucher,
  context: ReadingContext,
): Promise<VerifiedForeign> {
  if ('credential' in foreign) return listInCredential(type, foreign.credential, url, context)
  const { doc, id, secured, issuer = voucher.issuer } = foreign
  demandSameList(id, url)
  if (issuer === undefined) {
    throw refused('it names no issuer, and no expected signer is known')
  }
  if (isCertifiedIssuer(issuer))
    return { doc, issuer, ...(await certified(secured, issuer, voucher, context)) }
  const named: string = issuer
  if (!isDid(issuer)) throw refused(`its issuer is "${named}", which is not a DID and no https address`)
  if (typeof secured === 'string') await context.agent.didJwtVerify({ jwt: secured, did: issuer })
  else await signerOfDid(secured, issuer, 'assertionMethod', documentSource(context))
  return { doc, issuer }
}

/**
 * Demands that a list is signed by the issuer of the credential, or by one of its status issuers: whoever controls the
 * host of a list could otherwise put a list of their own in its place.
 *
 * @throws AgentError `status_issuer`, which names the line to write into `agent.yml`
 */
export function demandStatusIssuer(
  signer: string,
  { issuer }: Voucher,
  statusIssuers: readonly StatusIssuer[],
): void {
  if (issuer === undefined || isSameIssuer(signer, issuer)) return
  const serves = (whom: StatusIssuer['for']) => whom === '*' || whom.some((one) => isSameIssuer(one, issuer))
  if (statusIssuers.some((one) => isSameIssuer(one.issuer, signer) && serves(one.for))) return
  const line = `statusIssuers: [{ issuer: '${signer}', for: ['${issuer}'] }]`
  const message = `the status list is signed by "${signer}", not by the issuer "${issuer}"; to accept it, add to the status-list plugin in agent.yml: ${line}`
  throw new AgentError('status_issuer', message, { details: [{ path: 'issuer', message }] })
}

/** One slash may end a bare host. */
const isSameIssuer = (one: string, other: string): boolean =>
  one.replace(/^(https:\/\/[^/]*)\/$/, '$1') === other.replace(/^(https:\/\/[^/]*)\/$/, '$1')

async function certified(
  secured: string | DetachedSignature,
  issuer: string,
  voucher: Voucher,
  context: ReadingContext,
): Promise<{ validUntil: string }> {
  const signature = typeof secured === 'string' ? signatureOfJwt(secured) : secured
  const { certificates } = signature
  if (!certificates) throw refused(`its issuer is "${issuer}", and it has no certificates (x5c)`)
  const { validUntil } = await signerOfCertificates(
    signature,
    {
      certificateChain: [...certificates],
      issuer,
      use: 'statusList',
      ...(voucher.certificates && { sameAnchorAs: [...voucher.certificates] }),
    },
    context,
  )
  return { validUntil }
}

async function listInCredential(
  type: StatusListType,
  shown: string | Record<string, unknown>,
  url: string,
  context: ReadingContext,
): Promise<VerifiedForeign> {
  if (!type.ofCredential) throw refused('its type has no credentials')
  const { credential, issuer, validUntil } = await verifiedCredential(shown, context)
  const { id } = credential
  if (typeof id === 'string' && (parseListUrl(id) !== undefined || /^https?:/i.test(id))) {
    demandSameList(id, url)
  }
  const doc = type.ofCredential(credential)
  return { doc, issuer, ...(validUntil !== undefined && { validUntil }) }
}

/**
 * The credential of a list, and its issuer.
 *
 * @throws AgentError `invalid_credential`
 */
export async function verifiedCredential(
  shown: string | Record<string, unknown>,
  context: ReadingContext,
): Promise<{ credential: Record<string, unknown>; issuer: string; validUntil?: string }> {
  const { agent } = context as unknown as { agent: Partial<IAgentContext<ICredentials>['agent']> }
  if (typeof agent.credentialVerify !== 'function') {
    throw refused('this agent has no plugin that verifies credentials')
  }
  // The status of a list would be the next list.
  const verdict = await agent.credentialVerify({ credential: shown, statusPolicy: 'skip' })
  const { verified, credential, issuer, validUntil, problems = [] } = verdict
  if (!verified || !credential || issuer === undefined) {
    throw refused(problems.map(({ message }) => message).join('; ') || 'it was not verified')
  }
  return { credential, issuer, ...(validUntil !== undefined && { validUntil }) }
}

function demandSameList(id: string, url: string): void {
  if (id !== url) throw refused(`it claims to be the list "${id}"`)
}

const refused = (reason: string): AgentError => distrusted(reason).error
