import { isDeepStrictEqual } from 'node:util'
import { isAgentError, problemsError } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'
import { resolvedDocument } from '../operations/resolved-document.js'
import type { OperationSettings } from '../options.js'
import type { DocumentOperation } from '../schemas/registrar.js'
import type { ServiceAgent } from '../service-agent.js'
import { DocumentMembers, type Members } from './document-members.js'

/** One change after the other, each with its document. */
export interface DocumentUpdate {
  did: string
  operations: readonly DocumentOperation[]
  documents: readonly Members[]
}

/**
 * The whole document that an update leads to. What is added or removed is so to what resolves now (DID Registration 6.5:
 * operations may be transformed into `setDidDocument`).
 *
 * @returns `undefined` where that is the present one, so that there is nothing to write
 * @throws AgentError `invalid_input` with every problem, `did_deactivated`, `did_not_resolvable`
 */
export async function updatedDocument(
  { did, operations, documents }: DocumentUpdate,
  agent: ServiceAgent,
  { limits }: OperationSettings,
): Promise<Partial<DIDDocument> | undefined> {
  const [first] = operations
  const current = first === 'setDidDocument' ? undefined : (await resolvedDocument(agent, did)).document
  const members = new DocumentMembers(did, { ...current })
  for (const [n, operation] of operations.entries()) {
    const change = documents[n] ?? {}
    const path = `didDocument[${n}]`
    if (operation === 'addToDidDocument') members.add(change, path)
    else if (operation === 'removeFromDidDocument') members.remove(change, path)
    else members.set(change)
  }
  const { document, problems } = members
  if (Array.isArray(document.service) && document.service.length > limits.servicesPerDocument) {
    const message = `would have more than ${limits.servicesPerDocument} services`
    problems.push({ path: 'didDocument', message })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  return isDeepStrictEqual(document, current) ? undefined : document
}

/** Tells the problems of a document at its place in the request; one that was worked out has no place of its own. */
export async function atDocumentPaths<T>(
  operations: readonly DocumentOperation[],
  update: () => Promise<T>,
): Promise<T> {
  try {
    return await update()
  } catch (error) {
    if (!isAgentError(error) || error.details.length === 0) throw error
    const isAsSent = operations.length === 1 && operations[0] === 'setDidDocument'
    const placed = error.details.map(({ path, message }) => {
      const [, member] = /^document\.?(.*)$/.exec(path) ?? []
      if (member === undefined) return { path, message }
      if (isAsSent) return { path: `didDocument[0]${member && `.${member}`}`, message }
      return { path: 'didDocument', message: `in the document that results, ${member || 'it'} ${message}` }
    })
    throw problemsError(error.code, placed)
  }
}
