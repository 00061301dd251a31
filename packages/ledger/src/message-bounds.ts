import {
  alternativesProblem,
  BOUNDS,
  formatPath,
  isJsonObject,
  isLongerThan,
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
  return [...countProblems(doc, before), ...memberProblems(doc, before), ...byteProblems(doc, before)]
}

function countProblems(doc: LedgerDidDoc, before: LedgerDidDoc | undefined): Problem[] {
  const message = `must have at most ${BOUNDS.documentEntries} entries`
  return LISTS.filter(
    (name) => doc[name].length > Math.max(BOUNDS.documentEntries, before?.[name].length ?? 0),
  ).map((path) => ({ path, message }))
}

const SERVICE_LISTS = ['serviceEndpoint', 'recipientKeys', 'routingKeys', 'accept'] as const

/** Texts of a document that nothing else bounds one by one. */
function textsOf(doc: LedgerDidDoc): [path: string, texts: readonly string[]][] {
  const lists: [string, readonly string[]][] = [
    ['context', doc.context],
    ['controller', doc.controller],
    ['alsoKnownAs', doc.alsoKnownAs],
  ]
  for (const [n, service] of doc.service.entries())
    for (const member of SERVICE_LISTS) lists.push([`service[${n}].${member}`, service[member]])
  return lists
}

/** What the document has already may stay. */
function memberProblems(doc: LedgerDidDoc, before: LedgerDidDoc | undefined): Problem[] {
  const known = new Set(before && textsOf(before).flatMap(([, texts]) => texts))
  for (const { id } of before?.service ?? []) known.add(id)
  const problems: Problem[] = []
  for (const [n, { id }] of doc.service.entries()) {
    // The holder of the DID has an index on them.
    if (Buffer.byteLength(id) > BOUNDS.indexedText && !known.has(id))
      problems.push({ path: `service[${n}].id`, message: `must have at most ${BOUNDS.indexedText} bytes` })
  }
  for (const [path, texts] of textsOf(doc)) {
    let [isNew, isLong] = [false, false]
    for (const text of texts) {
      isNew ||= !known.has(text)
      isLong ||= !known.has(text) && isLongerThan(text, BOUNDS.text)
    }
    if (isLong) problems.push({ path, message: `must have at most ${BOUNDS.text} characters in each text` })
    else if (isNew && texts.length > BOUNDS.listedTexts)
      problems.push({ path, message: `must have at most ${BOUNDS.listedTexts} entries` })
  }
  return problems
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
  throw staticRefusal(code, problems)
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
