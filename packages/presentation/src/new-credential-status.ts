import type { IAgentContext } from '@veramo/core-types'
import {
  AgentError,
  isAgentError,
  problemsError,
  type CredentialIssueArgs,
  type CredentialStatusEntry,
  type CredentialStatusRequest,
  type IStatusListCredentials,
} from '@vidimus/core-types'
import { listOf } from './jwt-claims.js'
import { isStatusRequest } from './requested-status.js'
import type { SigningContext } from './sign-jwt.js'

/** The members of a new credential that say where its status stands. */
export interface NewCredentialStatus {
  credentialStatus?: CredentialStatusEntry | CredentialStatusEntry[]
  /** a claim of the JWT itself, beside `vc` */
  status?: Record<string, unknown>
  /** what `@context` has to hold for them */
  contexts: string[]
}

type StatusListContext = IAgentContext<IStatusListCredentials>

/**
 * Gets the entries of status lists that a credential asks for, in the order of the request; ready entries stay as they
 * are. Indices that were taken stay taken, whatever happens afterwards: so this comes last before signing.
 *
 * @throws AgentError as `statusListAllocate` and `statusListAdoptEntries`, each with a detail at `credentialStatus`;
 * `invalid_input` where the agent has no plugin that gives out indices
 */
export async function newCredentialStatus(
  { issuerDid, credentialStatus }: CredentialIssueArgs,
  context: SigningContext,
): Promise<NewCredentialStatus> {
  const asked = listOf(credentialStatus) as (CredentialStatusRequest | CredentialStatusEntry)[]
  const listed = Array.isArray(credentialStatus)
  const pathOf = (n: number): string => (listed ? `credentialStatus[${n}]` : 'credentialStatus')
  const contexts = new Set(await adopted(asked, pathOf, context))
  const entries: CredentialStatusEntry[] = []
  let status: Record<string, unknown> | undefined
  for (const [n, one] of asked.entries()) {
    if (!isStatusRequest(one)) {
      entries.push(one)
      continue
    }
    const allocation = await atStatus(pathOf(n), () => allocate(one, issuerDid, context))
    allocation.contexts.forEach((needed) => contexts.add(needed))
    if (allocation.entryMember === 'credentialStatus') {
      entries.push(...(allocation.entries as CredentialStatusEntry[]))
    } else if (status) {
      const message = `is a second one for the member "status", of which a credential has one`
      throw problemsError('invalid_input', [{ path: pathOf(n), message }])
    } else {
      status = allocation.entries[0]
    }
  }
  const [first] = entries
  return {
    ...(first && { credentialStatus: listed || entries.length > 1 ? entries : first }),
    ...(status && { status }),
    contexts: [...contexts],
  }
}

/** Agents without status lists leave ready entries alone: what they mean is not known there. */
async function adopted(
  asked: readonly (CredentialStatusRequest | CredentialStatusEntry)[],
  pathOf: (n: number) => string,
  context: SigningContext,
): Promise<string[]> {
  const ready = asked.flatMap((one, n) => (isStatusRequest(one) ? [] : [{ entry: one, path: pathOf(n) }]))
  const { agent } = context as unknown as { agent: Partial<StatusListContext['agent']> }
  if (ready.length === 0 || typeof agent.statusListAdoptEntries !== 'function') return []
  try {
    const { contexts } = await agent.statusListAdoptEntries({ entries: ready.map(({ entry }) => entry) })
    return contexts
  } catch (error) {
    if (!isAgentError(error) || error.details.length === 0) throw error
    const renamed = error.details.map(({ path, message }) => {
      const n = Number(/^entries\[(\d+)\]/.exec(path)?.[1] ?? NaN)
      return { path: ready[n]?.path ?? 'credentialStatus', message }
    })
    throw problemsError(error.code, renamed)
  }
}

function allocate(request: CredentialStatusRequest, issuerDid: string, context: SigningContext) {
  const { statusListName, did = issuerDid, statusPurpose, statusListIndex } = request
  const listType = request.listType ?? request.statusListType
  const { agent } = context as unknown as { agent: Partial<StatusListContext['agent']> }
  if (typeof agent.statusListAllocate !== 'function') {
    const message =
      'cannot be made here: this agent has no plugin that gives out indices of status lists; send a ready entry'
    throw new AgentError('invalid_input', message, { details: [{ path: '', message }] })
  }
  return agent.statusListAllocate({
    did,
    statusListName,
    ...(listType !== undefined && { listType }),
    ...(statusPurpose !== undefined && { statusPurpose }),
    ...(statusListIndex !== undefined && { statusListIndex: Number(statusListIndex) }),
  })
}

/** Names refusals by the caller's own field. */
async function atStatus<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error)) throw error
    const { code, message, details } = error
    const problems = details.length > 0 ? details : [{ path: '', message }]
    throw problemsError(
      code,
      problems.map((problem) => ({
        path: problem.path === '' ? path : `${path}.${problem.path}`,
        message: problem.message,
      })),
    )
  }
}
