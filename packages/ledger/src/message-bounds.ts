import {
  alternativesProblem,
  BOUNDS,
  formatPath,
  isJsonObject,
  problemsError,
  type Problem,
} from '@vidimus/core-types'
import type { LedgerDidDoc, UnsignedLedgerMessage } from './messages.js'
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
 * The parts of a document that exceed this service's limits. A document that already exceeds a limit can be changed
 * as long as it does not grow there.
 *
 * @param before - the newest version; absent for a new document
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

/** The holder of the DID has an index on them. */
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
  const bytes = documentBytes(doc)
  if (bytes <= BOUNDS.documentBytes || (before && bytes <= documentBytes(before))) return []
  return [{ path: '', message: `the document has ${bytes} bytes, more than ${BOUNDS.documentBytes}` }]
}

/**
 * The parts of a message that this service cannot store, although the ledger would accept them: too much of
 * something, or a text that not every database can store.
 *
 * @param before - the newest version of the document that is changed
 * @throws LedgerError of phase `check` with every problem
 */
export function demandBounds(message: UnsignedLedgerMessage, before?: LedgerDidDoc): void {
  const problems = boundProblems(message, before)
  if (problems.length === 0) return
  const code = message.type === 'createResource' ? 1206 : 1205
  throw staticRefusal(code, problemsError('ledger_rule', problems).message, problems)
}

/** See {@link demandBounds}. */
export function boundProblems(message: UnsignedLedgerMessage, before?: LedgerDidDoc): Problem[] {
  switch (message.type) {
    case 'createDidDoc':
    case 'updateDidDoc': {
      const { versionId: _, ...doc } = message.payload
      return [
        ...textProblems(message.payload),
        ...priorityProblems(doc),
        ...documentBoundProblems(doc, before),
      ]
    }
    case 'deactivateDidDoc':
      return []
    case 'createResource': {
      const { data: _, ...others } = message.payload
      const problem = alternativesProblem(others.alsoKnownAs)
      return [
        ...textProblems(others),
        ...(problem === undefined ? [] : [{ path: 'alsoKnownAs', message: problem }]),
      ]
    }
  }
}

/** NUL, and halves of surrogate pairs: no UTF-8 text holds the latter, and not every database the former. */
const ILL_FORMED = /[\0\p{Surrogate}]/u

function textProblems(value: unknown, path: readonly (string | number)[] = []): Problem[] {
  if (typeof value === 'string') {
    const message = 'must be well-formed Unicode text without NUL'
    return ILL_FORMED.test(value) ? [{ path: formatPath(path), message }] : []
  }
  if (Array.isArray(value)) return value.flatMap((one, n) => textProblems(one, [...path, n]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => textProblems(member, [...path, name]))
}

const priorityProblems = ({ service }: LedgerDidDoc): Problem[] =>
  service.flatMap(({ priority }, n) =>
    Number.isInteger(priority) && priority >= 0 && priority <= BOUNDS.servicePriority
      ? []
      : [{ path: `service[${n}].priority`, message: 'must be an unsigned number of 32 bits' }],
  )

const documentBytes = (doc: LedgerDidDoc): number => Buffer.byteLength(JSON.stringify(doc))
