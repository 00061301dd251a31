import type { AuditEntry, AuditTrail } from '@vidimus/core-types'

type Fields = Readonly<Record<string, unknown>>

/**
 * Acts recorded in the audit trail because no stored row or ledger message contains them. A changed status is recorded
 * with the version of its list, even if callers share it.
 */
interface Act {
  event: AuditEntry['event']
  /** the name it was done in, or its target; never the content of a statement about someone */
  subject(args: Fields, result: Fields): unknown
}

const issued = (subject: Act['subject']): Act => ({ event: 'credential-issued', subject })
const presented = (subject: Act['subject']): Act => ({ event: 'presentation-created', subject })
const signed = (argument: string): Act => ({ event: 'data-signed', subject: (args) => args[argument] })

/** By REST operation and by agent method. */
const ACTS: Readonly<Record<string, Act>> = {
  'credential-issue': issued(({ issuerDid }) => issuerDid),
  credentialIssue: issued(({ issuerDid }) => issuerDid),
  'vc-api-issue': issued(({ credential }) => partyName(asFields(credential).issuer)),
  credentialSign: issued(({ credential }) => partyName(asFields(credential).issuer)),
  createVerifiableCredential: issued(({ credential }) => partyName(asFields(credential).issuer)),
  'presentation-create': presented((_args, { iss }) => iss),
  'vc-api-create-presentation': presented((_args, { verifiablePresentation }) =>
    partyName(asFields(verifiablePresentation).holder),
  ),
  presentationCreate: presented((_args, { iss }) => iss),
  createVerifiablePresentation: presented(({ presentation }) => partyName(asFields(presentation).holder)),
  keyManagerSign: signed('keyRef'),
  keyManagerSignJWT: signed('kid'),
  didJwtCreate: signed('did'),
}

/**
 * Records an act in the account scope of its caller, before the response is sent.
 *
 * @param id - of the operation or method
 * @returns nothing to wait for if it is none that is recorded here
 * @throws AgentError `unavailable` if it cannot be recorded: then nothing is answered
 */
export function auditAct(
  audit: AuditTrail | undefined,
  id: string,
  { query, body }: { query: unknown; body: unknown },
  result: unknown,
): Promise<void> | undefined {
  const act = Object.hasOwn(ACTS, id) ? ACTS[id] : undefined
  if (!audit || !act) return undefined
  const [args, answer] = [{ ...asFields(query), ...asFields(body) }, asFields(result)]
  const subject = act.subject(args, answer)
  return audit.recordFirst({
    event: act.event,
    ...(typeof subject === 'string' && { subject }),
  })
}

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** An issuer or holder is a DID, or an object with one. */
const partyName = (party: unknown): unknown => (typeof party === 'string' ? party : asFields(party).id)
