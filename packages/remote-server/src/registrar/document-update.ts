import { isDeepStrictEqual } from 'node:util'
import type { IIdentifier } from '@veramo/core-types'
import { isAgentError, problemsError } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'
import { resolvedDocument } from '../operations/resolved-document.js'
import type { DocumentOperation } from '../schemas/registrar.js'
import type { ServiceAgent } from '../service-agent.js'
import { DocumentMembers, type Members } from './document-members.js'

/** One change after the other, each with its document. */
export interface DocumentUpdate {
  did: string
  /** `setMembers` replaces single members of the document */
  operations: readonly (DocumentOperation | 'setMembers')[]
  documents: readonly Members[]
  /** where in the request a document stands that is written as it was sent; `''`: its members are fields of the request */
  place: string
}

/** Other writers of a document win this often before the caller is told. */
const MOST_ATTEMPTS = 10

/**
 * Writes the document that an update leads to. Where that is made of the present one, and another writer is faster, it
 * is made again of what there is then: no change of either is lost, as far as the provider can tell versions apart.
 *
 * @returns `undefined` where the present document is that one already
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
  /** the version that it was made of; absent where it was made of none, or versions have no names */
  expectedPrevious?: string
}

/**
 * The whole document that an update leads to. What is added or removed is so to what resolves now (DID Registration 6.5:
 * operations may be transformed into `setDidDocument`).
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

/** Tells the problems of a document at its place in the request; one that was worked out has no place of its own. */
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
