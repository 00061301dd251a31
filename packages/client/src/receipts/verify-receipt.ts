import { sha256 } from '@noble/hashes/sha2'
import { readList, type ListContent } from './list-content.js'
import { Refused } from './refused.js'
import { demandSignature, parseReceipt, type StatusReceipt } from './signed-receipt.js'

export interface ReceiptEvidence {
  /** of the publisher, as resolved; only keys under `assertionMethod` count */
  didDocument: object
  /** the list version that the receipt names (`resourceId`), byte for byte as published */
  list: string | Uint8Array
}

export interface ReceiptVerdict {
  verified: boolean
  /** content of the receipt; absent if its signature does not verify */
  receipt?: StatusReceipt
  /** checks performed: `format`, `signature`, `version`, and `status`, which is absent if the entries are encrypted */
  checks: { check: 'format' | 'signature' | 'version' | 'status'; ok: boolean; message?: string }[]
  /** why verification failed */
  problems?: { path: string; message: string }[]
}

/** Maximum number of indices in one sentence. */
const MOST_NAMED = 5

/**
 * Verifies the receipt of a status list update offline: the publisher signed it with a key of the document, the list is
 * the exact version named, and the entries of that version have the value that the action sets.
 *
 * It does not know about newer versions or whether the document is current; the caller must.
 */
export async function verifyReceipt(
  receipt: string,
  { didDocument, list }: ReceiptEvidence,
): Promise<ReceiptVerdict> {
  const checks: ReceiptVerdict['checks'] = []
  let said: StatusReceipt | undefined
  let check: ReceiptVerdict['checks'][number]['check'] = 'format'
  const passed = (next: typeof check) => {
    checks.push({ check, ok: true })
    check = next
  }
  try {
    const parsed = parseReceipt(receipt)
    passed('signature')
    demandSignature(parsed, didDocument)
    said = parsed.claims
    passed('version')
    const content = typeof list === 'string' ? new TextEncoder().encode(list) : list
    if (hex(sha256(content)) !== said.checksum)
      throw new Refused('the list is not the version that it names: its checksum differs')
    const entries = await readList(content)
    passed('status')
    if (entries) {
      demandStatus(said, entries)
      checks.push({ check, ok: true })
    }
    return { verified: true, receipt: said, checks }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { message } = error
    checks.push({ check, ok: false, message })
    return {
      verified: false,
      ...(said && { receipt: said }),
      checks,
      problems: [{ path: 'receipt', message }],
    }
  }
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function demandStatus({ action, status, indices }: StatusReceipt, { purposes, valueAt }: ListContent): void {
  if (!leadsTo(action, status, purposes))
    throw new Refused(`"${action}" does not set the status ${status} in this list`)
  const others = indices.filter((index) => valueAt(index) !== status)
  if (others.length === 0) return
  const more = others.length > MOST_NAMED ? ', ...' : ''
  throw new Refused(
    `entries do not have the status ${status}: ${others.slice(0, MOST_NAMED).join(', ')}${more}`,
  )
}

/** Other actions set custom states, which the list itself explains. */
function leadsTo(action: string, status: number, purposes: readonly string[] | undefined): boolean {
  if (action === 'reinstate') return status === 0
  if (action !== 'revoke' && action !== 'suspend') return true
  // IETF Token Status List section 7.1: 1 is INVALID, 2 is SUSPENDED.
  if (!purposes) return status === (action === 'revoke' ? 1 : 2)
  const purpose = action === 'revoke' ? 'revocation' : 'suspension'
  return status !== 0 && (purposes.includes(purpose) || purposes.includes('message'))
}
