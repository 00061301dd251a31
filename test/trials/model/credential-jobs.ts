import { told, type Caller } from './caller.js'
import { issue, type ModelCredential } from './issuing.js'
import { followed, ordered } from './jobs.js'
import { CREATE, createDid } from './lives.js'

/** Credentials that nobody has revoked yet, by their ids; some of them are revoked alone meanwhile, which is the same. */
export async function revokeByIds(caller: Caller, valid: ModelCredential[]): Promise<void> {
  const { random } = caller
  const some = valid.splice(0, random.between(1, 40))
  if (some.length === 0) return
  const rows = some.map(({ id }) => `${id},revoke`)
  await revoked(caller, some, {
    body: ['credentialId,action', ...rows, ''].join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
}

/** A key that was stolen: all that it has signed is revoked in one job, and nothing that is issued later. */
export async function liveStolenKey(caller: Caller): Promise<void> {
  const { random, facts } = caller
  const did = await createDid(caller)
  if (!did) return
  const statusListName = `stolen-${random.uuid()}`
  const made = await caller.insist('POST', CREATE, {
    query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
    json: { did: did.did, statusListName },
    headers: { 'idempotency-key': random.uuid() },
  })
  const found = await caller.insist('POST', '/agent/didManagerGet', { json: { did: did.did } })
  if (made?.kind !== 'done' || found?.kind !== 'done')
    return facts.find(`a list was refused: ${told(made)}, ${told(found)}`)
  const { kid } = (found.body as { keys: { kid: string }[] }).keys[0] ?? {}
  const issuing = { did: did.did, names: [statusListName] }
  const valid: ModelCredential[] = []
  for (let count = random.between(1, 8); count > 0; count -= 1) await issue(caller, issuing, valid)
  // A credential whose answer was lost is revoked with them.
  const [{ list } = { list: undefined }] = valid
  if (!list) return
  list.isKnownWhole = false
  await revoked(caller, valid, { json: { kid, action: 'revoke', reason: 'stolen' } })
  await issue(caller, issuing, [])
}

/** Orders it, and waits for its end. */
async function revoked(
  caller: Caller,
  credentials: readonly ModelCredential[],
  asking: Parameters<typeof ordered>[2],
): Promise<void> {
  const { facts, random } = caller
  const id = `job-${random.uuid()}`
  for (const { list, index } of credentials) list.doubt([index], 1)
  if (!(await ordered(caller, id, asking))) return
  if (random.chance(0.3)) caller.world.faults.strike()
  const job = await followed(caller, id, () => Promise.resolve())
  if (!job) return
  const { state, applied, refused, rows } = job
  if (state !== 'done' || refused !== 0 || applied !== rows || rows < credentials.length)
    return facts.find(
      `the valid job ${id} of ${rows} credentials is ${state}: ${applied}, ${refused} refused`,
    )
  facts.jobs.push({ id, rows })
  for (const { list, index } of credentials) list.settle([index], 1)
}
