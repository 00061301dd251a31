import {
  AgentError,
  isAgentError,
  OUTAGE_CODES,
  schemaSentence,
  type Problem,
  type StatusListReceiptVerifyResult,
  type StatusListType,
  type StatusReceipt,
} from '@vidimus/core-types'
import { RECEIPT_TYP, StatusReceipt as Receipt } from '@vidimus/core-types/schemas'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { ReadingContext } from '../agent-context.js'
import { claimsOfJwt, headerOf } from '../encoding/compact-jwt.js'
import { getEntry } from '../encoding/entries.js'
import { isInRange } from '../indices/index-range.js'
import type { DecodedList, DocumentedList } from '../versions/decoded-list.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { isOutcomeOf } from './new-receipt.js'

interface Sources {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  context: ReadingContext
}

type Check = StatusListReceiptVerifyResult['checks'][number]

/** Maximum number of indices in one sentence. */
const MOST_NAMED = 5

/**
 * Verifies a receipt: its publisher signed it and published the version named with that checksum, and the entries of
 * that version have the value that the action sets. Newer versions are not considered.
 *
 * @throws AgentError if the service or a network cannot be reached
 */
export async function verifyReceipt(jws: string, sources: Sources): Promise<StatusListReceiptVerifyResult> {
  const checks: Check[] = []
  const failed = (check: string, message: string): StatusListReceiptVerifyResult => {
    checks.push({ check, ok: false, message })
    return { verified: false, ...(receipt && { receipt }), checks, problems: [problem(message)] }
  }
  let receipt: StatusReceipt | undefined
  let check = 'format'
  try {
    const claims = receiptClaims(jws)
    checks.push({ check, ok: true })
    check = 'signature'
    await sources.context.agent.didJwtVerify({ jwt: jws, did: claims.iss, relationship: 'assertionMethod' })
    receipt = claims
    checks.push({ check, ok: true })
    check = 'version'
    const version = await receiptVersion(receipt, sources)
    checks.push({ check, ok: true })
    check = 'status'
    const { list } = version
    // A party that may read the entries of an encrypted list can check them itself.
    if (list.layout.encrypted) return { verified: true, receipt, checks }
    demandStatus(receipt, version)
    checks.push({ check, ok: true })
    return { verified: true, receipt, checks }
  } catch (error) {
    if (!isAgentError(error) || OUTAGE_CODES.includes(error.code)) throw error
    return failed(check, error.details[0]?.message ?? error.message)
  }
}

/** @throws AgentError `invalid_credential`, `malformed_list` if it is not a receipt */
function receiptClaims(jws: string): StatusReceipt {
  const { typ } = headerOf(jws)
  if (typ !== RECEIPT_TYP) throw refusal(`its typ must be ${RECEIPT_TYP}`)
  const { data, error } = Receipt.safeParse(claimsOfJwt(jws), { error: schemaSentence })
  if (data) return data
  const [issue] = error?.issues ?? []
  throw refusal(`its ${issue?.path.join('.') ?? 'payload'} ${issue?.message ?? 'cannot be read'}`)
}

type Version = DocumentedList & { list: DecodedList; type: StatusListType }

async function receiptVersion(
  receipt: StatusReceipt,
  { types, lists, addresses, context }: Sources,
): Promise<Version> {
  const { iss, list: address, resourceId, resourceVersion, checksum } = receipt
  const location = await addresses.locate(address)
  const type = location && types.find((one) => one.resourceTypes().includes(location.resourceType))
  if (!type) throw refusal('its list is not a status list that can be read here')
  if (location.did !== iss) throw refusal('its list is not published by its issuer')
  const version = await lists.version(type, location, resourceId, context)
  const { resourceName, resourceType } = version?.metadata ?? {}
  if (!version || resourceName !== location.statusListName || resourceType !== location.resourceType)
    throw refusal('its list has no version with that resourceId')
  if (version.metadata.checksum !== checksum || (version.metadata.resourceVersion ?? '') !== resourceVersion)
    throw refusal('that version was published with another checksum or resourceVersion')
  return { ...version, type }
}

function demandStatus(receipt: StatusReceipt, { type, list }: Version): void {
  const { indices, action, status } = receipt
  if (!isOutcomeOf(type, list.layout, receipt))
    throw refusal(`"${action}" does not set the status ${status} in this list`)
  const others = indices.filter(
    (index) => !isInRange(index, list.entries) || getEntry(list.bits, list.layout, index) !== status,
  )
  if (others.length === 0) return
  const named = others.slice(0, MOST_NAMED).join(', ')
  throw refusal(
    `entries of the version do not have the status ${status}: ${named}${others.length > MOST_NAMED ? ', ...' : ''}`,
  )
}

const problem = (message: string): Problem => ({ path: 'receipt', message })

const refusal = (message: string): AgentError => new AgentError('invalid_credential', message)
