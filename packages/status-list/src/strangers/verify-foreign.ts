import type { IAgentContext } from '@veramo/core-types'
import {
  AgentError,
  isAgentError,
  isDid,
  isJsonObject,
  type DetachedSignature,
  type ForeignStatusList,
  type ICredentials,
  type StatusListType,
} from '@vidimus/core-types'
import {
  canonicalIssuer,
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
  /** names of trust anchors that are its status issuers */
  anchors?: readonly string[]
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
 * @throws AgentError `invalid_credential`, `malformed_list`, `did_not_resolvable`, `did_deactivated`, `status_issuer`
 */
export async function verifiedForeign(
  type: StatusListType,
  foreign: ForeignStatusList<unknown>,
  url: string,
  voucher: Voucher,
  context: ReadingContext,
): Promise<VerifiedForeign> {
  if ('credential' in foreign) return listInCredential(type, foreign.credential, url, voucher, context)
  const { doc, id, secured, issuer: named } = foreign
  const issuer = named ?? voucher.issuer
  demandSameList(id, url)
  if (issuer === undefined) {
    throw refused('it names no issuer, and no expected signer is known')
  }
  if (isCertifiedIssuer(issuer)) return { doc, ...(await certified(secured, issuer, voucher, context)) }
  if (!isDid(issuer)) {
    throw refused(`its issuer is "${String(issuer)}", which is not a DID and no https address`)
  }
  const byAnchor = named === undefined ? await signedByAnchor(secured, voucher, context) : undefined
  if (byAnchor) return { doc, ...byAnchor }
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
  if (servingIssuer(issuer, statusIssuers).some((one) => isSameIssuer(one, signer))) return
  throw notStatusIssuer(signer, issuer)
}

/** Whoever may sign lists for an issuer beside itself, trust anchors as `anchor:<name>`. */
const servingIssuer = (issuer: string | undefined, statusIssuers: readonly StatusIssuer[]): string[] =>
  statusIssuers
    .filter(({ for: whom }) => whom === '*' || whom.some((one) => issuer && isSameIssuer(one, issuer)))
    .map((one) => one.issuer)

const ANCHOR = 'anchor:'

/** The names of the trust anchors among the status issuers of an issuer. */
export const anchorsServing = (
  { issuer }: Voucher,
  statusIssuers: readonly StatusIssuer[],
): Pick<Voucher, 'anchors'> => {
  if (issuer === undefined) return {}
  const serving = servingIssuer(issuer, statusIssuers).filter((one) => one.startsWith(ANCHOR))
  return serving.length > 0 ? { anchors: serving.map((one) => one.slice(ANCHOR.length)) } : {}
}

function notStatusIssuer(signer: string, issuer: string): AgentError {
  const line = `statusIssuers: [{ issuer: '${signer}', for: ['${issuer}'] }]`
  const message = `the status list is signed by "${signer}", not by the issuer "${issuer}"; to accept it, add to the status-list plugin in agent.yml: ${line}`
  return new AgentError('status_issuer', message, { details: [{ path: 'issuer', message }] })
}

const isSameIssuer = (one: string, other: string): boolean =>
  (canonicalIssuer(one) ?? one) === (canonicalIssuer(other) ?? other)

/** @returns `undefined` if no certificate of a trust anchor that may has signed it */
async function signedByAnchor(
  secured: string | DetachedSignature,
  voucher: Voucher,
  context: ReadingContext,
): Promise<Omit<VerifiedForeign, 'doc'> | undefined> {
  if (!voucher.anchors || !signatureOf(secured).certificates) return undefined
  try {
    return await certified(secured, voucher.issuer ?? '', voucher, context)
  } catch (error) {
    if (isAgentError(error) && /^(?:invalid_credential|algorithm_not_supported)$/.test(error.code))
      return undefined
    throw error
  }
}

const signatureOf = (secured: string | DetachedSignature): DetachedSignature =>
  typeof secured === 'string' ? signatureOfJwt(secured) : secured

/**
 * Verifies a list by its certificates: of a trust anchor that is a status issuer, or else of the issuer that it names,
 * which must have the trust anchor of the credential where both have one issuer.
 *
 * @throws AgentError `invalid_credential`, `status_issuer`
 */
async function certified(
  secured: string | DetachedSignature,
  issuer: string,
  { anchors = [], certificates: ofCredential, ...voucher }: Voucher,
  context: ReadingContext,
): Promise<{ issuer: string; validUntil: string }> {
  const signature = signatureOf(secured)
  const { certificates } = signature
  if (!certificates) throw refused(`its issuer is "${issuer}", and it has no certificates (x5c)`)
  const args = {
    certificateChain: [...certificates],
    issuer,
    use: 'statusList' as const,
    anchors: [...anchors],
  }
  const verified = (demands: object) => signerOfCertificates(signature, { ...args, ...demands }, context)
  const ofCredentials = ofCredential && voucher.issuer !== undefined && { sameAnchorAs: [...ofCredential] }
  const isOfIssuer = voucher.issuer !== undefined && isSameIssuer(issuer, voucher.issuer)
  if (ofCredentials && !isOfIssuer) {
    const served = await verified({ ...ofCredentials, issuer: voucher.issuer }).catch(() => undefined)
    if (served?.statusIssuer) return { issuer: voucher.issuer ?? issuer, validUntil: served.validUntil }
  }
  const demands = isOfIssuer && ofCredentials ? ofCredentials : undefined
  const { anchor, validUntil } = await verified(demands ?? {}).catch(async (error: unknown) => {
    if (!demands) throw error
    const other = await verified({}).catch(() => undefined)
    throw other ? notStatusIssuer(`${ANCHOR}${other.anchor}`, issuer) : error
  })
  return {
    issuer: anchors.includes(anchor) ? `${ANCHOR}${anchor}` : (canonicalIssuer(issuer) ?? issuer),
    validUntil,
  }
}

async function listInCredential(
  type: StatusListType,
  shown: string | Record<string, unknown>,
  url: string,
  voucher: Voucher,
  context: ReadingContext,
): Promise<VerifiedForeign> {
  if (!type.ofCredential) throw refused('its type has no credentials')
  const { credential, issuer, validUntil } = await verifiedCredential(shown, context)
  const { id } = credential
  if (typeof id === 'string' && (parseListUrl(id) !== undefined || /^https?:/i.test(id))) {
    demandSameList(id, url)
  }
  const doc = type.ofCredential(credential)
  const until = validUntil === undefined ? {} : { validUntil }
  if (!isCertifiedIssuer(issuer)) return { doc, issuer, ...until }
  // A certificate that may sign credentials need not be one that may sign this list.
  const { proof } = credential
  const [jwt = ''] = isJsonObject(proof) && typeof proof.jwt === 'string' ? proof.jwt.split('~', 1) : []
  const signed = await certified(jwt, issuer, voucher, context)
  const ends = [signed.validUntil, ...Object.values(until)].map((text) => Date.parse(text))
  return { doc, ...signed, validUntil: new Date(Math.min(...ends)).toISOString() }
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
