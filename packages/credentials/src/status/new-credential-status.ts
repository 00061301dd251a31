import type { IAgentContext } from '@veramo/core-types'
import {
  atPaths,
  problemsError,
  type CredentialFormat,
  type CredentialIssueArgs,
  type CredentialStatusEntry,
  type CredentialStatusRequest,
  type IStatusListCredentials,
  type NewCredentialStatus,
  type SigningContext,
  type StatusListAllocateArgs,
  type StatusListAllocateTogetherArgs,
  type StatusListAllocation,
  type StatusListAllocationsTogether,
} from '@vidimus/core-types'
import { asList } from '../jwt/contradictions.js'
import { isStatusRequest } from './requested-status.js'

type StatusListContext = IAgentContext<IStatusListCredentials>

/** A requested status and its place in the caller's input. */
interface Asked<Status> {
  status: Status
  path: string
}

/** All status requests of one credential. */
interface AskedTogether {
  requests: readonly Asked<CredentialStatusRequest>[]
  ready: readonly Asked<CredentialStatusEntry>[]
  issuerDid: string
  entryMember: CredentialFormat['statusMember']
  register: StatusListAllocateTogetherArgs['register']
  holding: StatusListAllocateTogetherArgs['holding']
}

/**
 * Allocates the requested status list entries of a credential, in the order of the request; ready entries are kept
 * unchanged. If anything is refused, nothing is allocated. Allocated indices stay allocated whatever happens
 * afterwards, so this is the last step before signing.
 *
 * @param entryMember - the only place where the credential can hold its entry
 * @param register - the credential, as it is registered with its entries
 * @param holding - of the issuer, whose lists they most likely are
 * @throws AgentError as `statusListAllocateTogether`, with details at `credentialStatus`; `invalid_input` if the agent
 * has no plugin that allocates indices
 */
export async function newCredentialStatus(
  { issuerDid, credentialStatus }: CredentialIssueArgs,
  { entryMember, register, holding }: Pick<AskedTogether, 'entryMember' | 'register' | 'holding'>,
  context: SigningContext,
): Promise<NewCredentialStatus> {
  const listed = Array.isArray(credentialStatus)
  const statuses = asList(credentialStatus) as (CredentialStatusRequest | CredentialStatusEntry)[]
  const requests: Asked<CredentialStatusRequest>[] = []
  const ready: Asked<CredentialStatusEntry>[] = []
  for (const [n, status] of statuses.entries()) {
    const path = listed ? `credentialStatus[${n}]` : 'credentialStatus'
    if (isStatusRequest(status)) requests.push({ status, path })
    else ready.push({ status, path })
  }
  if (entryMember === 'status' && ready[0]) {
    const message = 'must request an entry with statusListName: this format cannot contain a ready one'
    throw problemsError('invalid_input', [{ path: ready[0].path, message }])
  }
  const asked = { requests, ready, issuerDid, entryMember, register, holding }
  const { allocations, contexts } = await allocated(asked, context)
  const inOrder = allocations.values()
  const entries = statuses.flatMap((status) =>
    isStatusRequest(status)
      ? (entriesFor('credentialStatus', inOrder.next().value) as CredentialStatusEntry[])
      : [status],
  )
  const [first] = entries
  const [status] = allocations.flatMap((allocation) => entriesFor('status', allocation))
  return {
    ...(first && { credentialStatus: listed || entries.length > 1 ? entries : first }),
    ...(status && { status }),
    contexts: [...new Set([...contexts, ...allocations.flatMap(({ contexts: needed }) => needed)])],
  }
}

const entriesFor = (
  member: StatusListAllocation['entryMember'],
  allocation: StatusListAllocation | undefined,
): Record<string, unknown>[] => (allocation?.entryMember === member ? allocation.entries : [])

/** Agents without status lists keep ready entries unchanged: they cannot interpret them. */
async function allocated(
  { requests, ready, issuerDid, entryMember, register, holding }: AskedTogether,
  context: SigningContext,
): Promise<StatusListAllocationsTogether> {
  const { statusListAllocateTogether: allocate } = (
    context as unknown as { agent: Partial<StatusListContext['agent']> }
  ).agent
  const [first] = requests
  if (typeof allocate !== 'function') {
    if (!first) return { allocations: [], contexts: [] }
    const message =
      'is not possible: this agent has no plugin that allocates status list indices; send a ready entry'
    throw problemsError('invalid_input', [{ path: first.path, message }])
  }
  if (!first && ready.length === 0) return { allocations: [], contexts: [] }
  const placeOf = (path: string) => callersPath(path, { requests, entries: ready })
  return atPaths(placeOf, async () => {
    const answer = await allocate({
      requests: requests.map(({ status }) => allocateArgs(status, issuerDid)),
      entries: ready.map(({ status }) => status),
      ...(entryMember && { entryMember }),
      ...(register && { register }),
      ...(holding && { holding }),
    })
    // a credential without its requested status could never be revoked
    if (answer.allocations.length === requests.length) return answer
    throw new Error('the status list plugin did not answer every request')
  })
}

function allocateArgs(request: CredentialStatusRequest, issuerDid: string): StatusListAllocateArgs {
  const { statusListName, did = issuerDid, statusPurpose, statusListIndex } = request
  const listType = request.listType ?? request.statusListType
  return {
    did,
    statusListName,
    ...(listType !== undefined && { listType }),
    ...(statusPurpose !== undefined && { statusPurpose }),
    ...(statusListIndex !== undefined && { statusListIndex: Number(statusListIndex) }),
  }
}

/** Reports a refusal at the caller's own field: `credentialStatus[2].did` for `requests[0].did`. */
function callersPath(
  path: string,
  asked: { requests: readonly Asked<unknown>[]; entries: readonly Asked<unknown>[] },
): string {
  const [, member, n, below = ''] = /^(requests|entries)\[(\d+)\](.*)$/.exec(path) ?? []
  const own = asked[member as keyof typeof asked]?.[Number(n)]
  return own ? own.path + below : 'credentialStatus'
}
