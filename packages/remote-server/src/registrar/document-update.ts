import { isDeepStrictEqual } from 'node:util'
import type { IIdentifier } from '@veramo/core-types'
import { isAgentError, problemsError } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'
import { resolvedDocument } from '../operations/resolved-document.js'
import type { DocumentOperation } from '../schemas/registrar.js'
import type { ServiceAgent } from '../service-agent.js'
import { DocumentMembers, type Members } from './document-members.js'

/** The operations in order, each with its document. */
export interface DocumentUpdate {
  did: string
  /** `setMembers` replaces single members of the document */
  operations: readonly (DocumentOperation | 'setMembers')[]
  documents: readonly Members[]
  /** path in the request of a document that is written as sent; `''`: its members are fields of the request */
  place: string
}

/** Conflicts lost to other writers of a document before the caller gets an error. */
const MOST_ATTEMPTS = 10

/**
 * Writes the document that an update results in. If that depends on the current one and another writer is faster, it is
 * computed again from the new one: no change of either is lost, as far as the provider can distinguish versions.
 *
 * @returns `undefined` if the current document already matches
 * @throws AgentError `invalid_input` with every problem, `did_deactivated`, `did_not_resolvable`, `version_conflict`
 */
export async function writeUpdate(
  update: DocumentUpdate,
  agent: ServiceAgent,
): Promise<IIdentifier | undefined> {
  const { did } = update
  for (let attempt = 1; ; attempt++) {
    const updated = await updatedDocument(update, agent)
    if (!updated) return undefined
    const { document, expectedPrevious } = updated
    const options = expectedPrevious === undefined ? {} : { options: { expectedPrevious } }
    try {
      return await atDocumentPaths(update, () => agent.didManagerUpdate({ did, document, ...options }))
    } catch (error) {
      const isOvertaken = isAgentError(error) && error.code === 'version_conflict'
      if (!isOvertaken || expectedPrevious === undefined || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

interface UpdatedDocument {
  document: Partial<DIDDocument>
  /** the version that it is based on; absent if there is none, or versions have no ids */
  expectedPrevious?: string
}

/**
 * The complete document that an update results in. Additions and removals apply to the currently resolved document (DID
 * Registration 6.5: operations may be transformed into `setDidDocument`).
 */
async function updatedDocument(
  { did, operations, documents }: DocumentUpdate,
  agent: ServiceAgent,
): Promise<UpdatedDocument | undefined> {
  const [first] = operations
  const resolved = first === 'setDidDocument' ? undefined : await resolvedDocument(agent, did)
  const current = resolved?.document
  const members = new DocumentMembers(did, { ...current })
  for (const [n, operation] of operations.entries()) {
    const change = documents[n] ?? {}
    const path = `didDocument[${n}]`
    if (operation === 'addToDidDocument') members.add(change, path)
    else if (operation === 'removeFromDidDocument') members.remove(change, path)
    else if (operation === 'setMembers') members.setMembers(change)
    else members.set(change)
  }
  const { document, problems } = members
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  if (isDeepStrictEqual(document, current)) return undefined
  const expectedPrevious = resolved?.result.didDocumentMetadata.versionId
  return { document, ...(expectedPrevious !== undefined && { expectedPrevious }) }
}

/** Reports problems of a document at its path in the request; a computed document has no path. */
async function atDocumentPaths<T>(update: DocumentUpdate, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error) || error.details.length === 0) throw error
    const placed = error.details.map(({ path, message }) => {
      const [, member] = /^document\.?(.*)$/.exec(path) ?? []
      if (member === undefined) return { path, message }
      if (isAsSent(update, member)) {
        return { path: [update.place, member].filter((step) => step !== '').join('.'), message }
      }
      return { path: 'didDocument', message: `in the resulting document, ${member || 'it'} ${message}` }
    })
    throw problemsError(error.code, placed)
  }
}

function isAsSent({ operations, documents }: DocumentUpdate, member: string): boolean {
  const [operation, ...others] = operations
  if (others.length > 0) return false
  const [name = ''] = member.split(/[.[]/)
  return (
    operation === 'setDidDocument' || (operation === 'setMembers' && Object.hasOwn(documents[0] ?? {}, name))
  )
}
