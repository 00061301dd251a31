import type { AuditEntry, AuditTrail } from '@vidimus/core-types'

type Fields = Readonly<Record<string, unknown>>

/**
 * What somebody did that no row of ours and no message to a ledger is in the audit trail for. A changed status is there with the
 * version of its list, whoever shares that.
 */
interface Act {
  event: AuditEntry['event']
  /** whose name it was done in, or what it was done to; never what is said of anybody */
  subject(args: Fields, result: Fields): unknown
}

const issued = (subject: Act['subject']): Act => ({ event: 'credential-issued', subject })
const presented = (subject: Act['subject']): Act => ({ event: 'presentation-created', subject })
const signed = (argument: string): Act => ({ event: 'data-signed', subject: (args) => args[argument] })

/** By operation of the REST API and by agent method. */
const ACTS: Readonly<Record<string, Act>> = {
  'credential-issue': issued(({ issuerDid }) => issuerDid),
  credentialIssue: issued(({ issuerDid }) => issuerDid),
  'vc-api-issue': issued(({ credential }) => nameOf(asFields(credential).issuer)),
  credentialSign: issued(({ credential }) => nameOf(asFields(credential).issuer)),
  createVerifiableCredential: issued(({ credential }) => nameOf(asFields(credential).issuer)),
  'presentation-create': presented((_args, { iss }) => iss),
  'vc-api-create-presentation': presented((_args, { verifiablePresentation }) =>
    nameOf(asFields(verifiablePresentation).holder),
  ),
  presentationCreate: presented((_args, { iss }) => iss),
  createVerifiablePresentation: presented(({ presentation }) => nameOf(asFields(presentation).holder)),
  keyManagerSign: signed('keyRef'),
  keyManagerSignJWT: signed('kid'),
  didJwtCreate: signed('did'),
}

/**
 * Writes down what was done, in the account scope of whoever did it, and before it is answered.
 *
 * @param id - of the operation or method
 */
export async function auditAct(
  audit: AuditTrail | undefined,
  id: string,
  { query, body }: { query: unknown; body: unknown },
  result: unknown,
): Promise<void> {
  const act = Object.hasOwn(ACTS, id) ? ACTS[id] : undefined
  if (!audit || !act) return
  const [args, answer] = [{ ...asFields(query), ...asFields(body) }, asFields(result)]
  const subject = act.subject(args, answer)
  await audit.record({
    event: act.event,
    ...(typeof subject === 'string' && { subject }),
  })
}

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** An issuer or holder is a DID, or an object with one. */
const nameOf = (party: unknown): unknown => (typeof party === 'string' ? party : asFields(party).id)
