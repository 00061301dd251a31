import { alternativesProblem, BOUNDS, problemsError, type Problem } from '@vidimus/core-types'
import type { LedgerDidDoc, ResourcePayload } from './messages.js'
import { staticRefusal } from './refusals.js'

const LISTS = [
  'context',
  'controller',
  'verificationMethod',
  'authentication',
  'assertionMethod',
  'capabilityInvocation',
  'capabilityDelegation',
  'keyAgreement',
  'service',
  'alsoKnownAs',
] as const satisfies readonly (keyof LedgerDidDoc)[]

/**
 * What of a document is more than this service takes. A document that is over a bound already may be changed as long as it
 * does not grow there.
 *
 * @param before - the newest version; left out for a new document
 * @returns one problem for each place, in the names of the ledger
 */
export function documentBoundProblems(doc: LedgerDidDoc, before?: LedgerDidDoc): Problem[] {
  return [...countProblems(doc, before), ...serviceIdProblems(doc, before), ...byteProblems(doc, before)]
}

function countProblems(doc: LedgerDidDoc, before: LedgerDidDoc | undefined): Problem[] {
  const message = `must have at most ${BOUNDS.documentEntries} entries`
  return LISTS.filter(
    (name) => doc[name].length > Math.max(BOUNDS.documentEntries, before?.[name].length ?? 0),
  ).map((path) => ({ path, message }))
}

/** Whoever holds the DID has an index on them. */
function serviceIdProblems(doc: LedgerDidDoc, before: LedgerDidDoc | undefined): Problem[] {
  const known = new Set(before?.service.map(({ id }) => id))
  const message = `must have at most ${BOUNDS.indexedText} bytes`
  return doc.service.flatMap(({ id }, n) =>
    Buffer.byteLength(id) > BOUNDS.indexedText && !known.has(id)
      ? [{ path: `service[${n}].id`, message }]
      : [],
  )
}

function byteProblems(doc: LedgerDidDoc, before: LedgerDidDoc | undefined): Problem[] {
  const bytes = bytesOf(doc)
  if (bytes <= BOUNDS.documentBytes || (before && bytes <= bytesOf(before))) return []
  return [{ path: '', message: `the document has ${bytes} bytes, and may have ${BOUNDS.documentBytes}` }]
}

/** @throws LedgerError where {@link documentBoundProblems} finds anything */
export function demandDocumentBounds(doc: LedgerDidDoc, before?: LedgerDidDoc): void {
  refuse(1205, documentBoundProblems(doc, before))
}

/** @throws LedgerError where a new resource has more, or longer, other names than this service takes */
export function demandResourceBounds({ alsoKnownAs }: Pick<ResourcePayload, 'alsoKnownAs'>): void {
  const message = alternativesProblem(alsoKnownAs)
  refuse(1206, message === undefined ? [] : [{ path: 'alsoKnownAs', message }])
}

function refuse(code: 1205 | 1206, problems: readonly Problem[]): void {
  if (problems.length > 0) throw staticRefusal(code, problemsError('ledger_rule', problems).message, problems)
}

const bytesOf = (doc: LedgerDidDoc): number => Buffer.byteLength(JSON.stringify(doc))
