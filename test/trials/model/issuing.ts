import { told, type Caller } from './caller.js'
import { ModelList } from './facts.js'

/** Where credentials get their entries, which nobody else changes. */
export interface Issuing {
  did: string
  /** lists, and series of lists */
  names: readonly string[]
}

/** A credential that was issued, and its entry. */
export interface ModelCredential {
  id: string
  list: ModelList
  index: number
}

interface Issued {
  id: string
  credentialStatus?: { id: string; statusListIndex: string; statusListCredential: string }
}

/**
 * Issues a credential with an entry that no other one has; some are revoked by their id.
 *
 * @param valid - the others are added to it
 */
export async function issue(
  caller: Caller,
  { did, names }: Issuing,
  valid: ModelCredential[],
): Promise<void> {
  const { random, facts } = caller
  const said = await caller.ask('POST', '/credential/issue', {
    json: { issuerDid: did, attributes: { a: 1 }, credentialStatus: { statusListName: random.pick(names) } },
    headers: random.chance(0.3) ? { 'idempotency-key': random.uuid() } : {},
    fragile: random.chance(0.2),
  })
  if (said.kind === 'refused') facts.find(`a credential was refused: ${told(said)}`)
  if (said.kind !== 'done') return
  facts.audited.push({ requestId: said.requestId, event: 'credential-issued' })
  const { id, credentialStatus } = said.body as Issued
  if (!credentialStatus) return facts.find(`a credential without its status: ${JSON.stringify(said.body)}`)
  const index = Number(credentialStatus.statusListIndex)
  facts.give(credentialStatus.statusListCredential, index)
  const credential = { id, list: listAt(caller, credentialStatus.statusListCredential), index }
  if (random.chance(0.5)) await revoke(caller, credential)
  else valid.push(credential)
}

async function revoke(caller: Caller, { id, list, index }: ModelCredential): Promise<void> {
  const { facts } = caller
  list.doubt([index], 1)
  const said = await caller.insist('POST', '/credential/revoke', {
    json: { credentialId: id },
    headers: { prefer: 'return=minimal', 'idempotency-key': caller.random.uuid() },
    fragile: caller.random.chance(0.2),
  })
  if (said?.kind !== 'done') return facts.find(`revoking ${id} was refused: ${told(said)}`)
  list.settle([index], 1)
  facts.acknowledge()
}

function listAt({ facts }: Caller, address: string): ModelList {
  const did = address.slice(0, address.indexOf('?'))
  const statusListName = new URL(address).searchParams.get('resourceName') ?? ''
  const known = facts.lists.find(({ name }) => name.did === did && name.statusListName === statusListName)
  if (known) return known
  const made = new ModelList({
    did,
    statusListName,
    listType: 'BitstringStatusList',
    statusPurpose: 'revocation',
    actions: ['revoke'],
    values: { revoke: 1, suspend: 1, reinstate: 0 },
  })
  facts.lists.push(made)
  return made
}

/** A key pair, which is there once however often its request is repeated. */
export async function createKey(caller: Caller): Promise<void> {
  const { random, facts } = caller
  const said = await caller.insist('POST', '/key/create', {
    headers: { 'idempotency-key': random.uuid() },
    fragile: random.chance(0.2),
  })
  if (said?.kind !== 'done') return facts.find(`a key was refused: ${told(said)}`)
  facts.keys.push((said.body as { kid: string }).kid)
  facts.acknowledge()
}
