import type { Configuration } from '@vidimus/agent-config/loading'
import type { Events } from '@vidimus/account-events'
import { newestLists, type Accounts, type AuditLog } from '@vidimus/accounts'
import {
  type Did,
  asListName,
  AgentError,
  hasMethods,
  noticesRestore,
  type AnyAgent,
  type StatusListRestoreResult,
  type StatusListStore,
  type StatusListTypeFacts,
} from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import type { Publication } from '@vidimus/publication'
import { openConfiguration } from '../installation.js'
import { expectDatabase } from '../lost-database.js'
import { aheadOfDatabase } from './ahead.js'
import { GivenCopies, lostAddresses, lostDids, publishedCopy } from './list-copies.js'
import { UNKNOWN, type RestoredList, type RestoreReport } from './restore-report.js'

export interface RestoreRequest {
  /** configuration file */
  file: string
  /** otherwise nothing is changed */
  yes: boolean
  /** no list has allocated more indices since the backup; absent: unknown */
  most: number | undefined
  /** published lists that the operator has */
  copies: readonly string[]
  /** ids of API keys */
  revoke: readonly string[]
}

/** A request whose copies were read and verified. */
type RequestWithCopies = Omit<RestoreRequest, 'copies'> & { copies: GivenCopies }

/** The parts of an installation that the restore concerns. */
interface Parts {
  configuration: Configuration
  agent: AnyAgent
  accounts: Accounts
  database: Database
  store: StatusListStore
  audit: AuditLog | undefined
  events: Events | undefined
  publication: Publication | undefined
}

/** DIDs per page. */
const PAGE = 200

/**
 * Takes over into a restored database what is outside of it, or reports what would be taken over. It can be repeated until it is
 * complete: until then the service does not start.
 *
 * @throws AgentError `unavailable` if a service runs on the database, `api_key_not_found` with every unknown key,
 * `invalid_input` with every file that cannot be taken over; then nothing is changed
 */
export async function restoreInstallation(request: RestoreRequest): Promise<RestoreReport> {
  const configuration = await openConfiguration(request.file)
  const parts = await buildParts(configuration)
  await expectDatabase(configuration, () => openConfiguration(request.file))
  try {
    await configuration.start([parts.database])
    await demandKeys(request.revoke, parts)
    const copies = await GivenCopies.read(request.copies, parts.agent)
    const ahead = await aheadOfDatabase(configuration)
    const restore = request.yes ? await beginAlone(parts) : undefined
    if (!restore) await demandNobody(parts)
    if (restore) await acceptRestores(configuration)
    await configuration.start()
    return await carryOut({ ...request, copies }, restore, ahead, parts)
  } finally {
    await configuration.stop()
  }
}

async function buildParts(configuration: Configuration): Promise<Parts> {
  const sections = ['/agent', '/accounts', '/database', '/server']
  const built = await configuration.build(...sections)
  const [agent, accounts, database] = built as [AnyAgent, Accounts, Database]
  const store = configuration.objects.find((object) =>
    hasMethods(restoresOf(object), 'begin', 'skip', 'dids'),
  )
  if (!store) throw new AgentError('invalid_configuration', 'no status list store is configured')
  const [audit] = configuration.has('/audit') ? await configuration.build('/audit') : []
  const [events] = configuration.has('/events') ? await configuration.build('/events') : []
  const publication = configuration.objects.find((object) => hasMethods(object, 'stored', 'endRestore'))
  return {
    configuration,
    agent,
    accounts,
    database,
    store: store as StatusListStore,
    audit: audit as AuditLog | undefined,
    events: events as Events | undefined,
    publication: publication as Publication | undefined,
  }
}

const restoresOf = (object: unknown): unknown => (object as { restores?: unknown } | null)?.restores

/** @throws AgentError `api_key_not_found` */
async function demandKeys(ids: readonly string[], { accounts }: Parts): Promise<void> {
  if (ids.length === 0) return
  const known = new Set((await accounts.listApiKeys()).map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  throw new AgentError(
    'api_key_not_found',
    `--revoke-key: there are no such API keys, and nothing was done: ${unknown.join(', ')}`,
  )
}

/** The mark comes first: a start shows its presence before it looks for one. @returns the id of the restore */
async function beginAlone(parts: Parts): Promise<string> {
  const { restores } = parts.store
  const { id, undo } = await restores.begin()
  try {
    await demandNobody(parts)
  } catch (error) {
    await undo()
    throw error
  }
  return id
}

/** Before anything starts to send. */
async function acceptRestores({ objects }: Configuration): Promise<void> {
  for (const object of objects.filter(noticesRestore)) await object.acceptRestore?.()
}

async function demandNobody({ database }: Parts): Promise<void> {
  if ((await database.othersPresent()) === 0) return
  throw new AgentError('unavailable', 'the service is running on this database: stop every process first')
}

async function carryOut(
  request: RequestWithCopies,
  restore: string | undefined,
  ahead: readonly string[],
  parts: Parts,
): Promise<RestoreReport> {
  const { agent, accounts, store, events, publication } = parts
  const lost = await lostAddresses(publication, agent)
  const unheld = await lostDids(publication, store)
  const lists = await restoredLists(request, restore, parts)
  if (restore !== undefined) {
    for (const id of request.revoke) await accounts.revokeApiKey(id)
    await events?.skipIds()
    await recordRestore(lists, request.revoke.length, parts)
    await publication?.endRestore()
    await store.restores.end(restore)
  }
  const found = { lists, revokedKeys: request.revoke, lost, lostDids: unheld }
  return { done: restore !== undefined, ahead, ...found, unknown: UNKNOWN }
}

async function restoredLists(
  { most, copies: given }: RequestWithCopies,
  restore: string | undefined,
  { agent, store, publication }: Parts,
): Promise<RestoredList[]> {
  const types = await agent.execute<object, StatusListTypeFacts[]>('statusListTypes', {})
  const resourceTypes = types.flatMap((type) => type.resourceTypes)
  const lists: RestoredList[] = []
  for await (const did of ledgerDids(store)) {
    for await (const { metadata } of newestLists(agent, did, resourceTypes)) {
      const list = {
        did,
        statusListName: asListName(metadata.resourceName),
        resourceType: metadata.resourceType,
      }
      const copies = [...(await publishedCopy(list, publication)), ...given.of(list)]
      const args = {
        list,
        copies,
        ...(most !== undefined && { most }),
        ...(restore !== undefined && { restore }),
      }
      const result = await agent.execute<object, StatusListRestoreResult>('statusListRestore', args)
      lists.push({ ...list, ...result })
    }
  }
  return lists
}

/** Other methods have no lists. */
async function* ledgerDids({ restores }: StatusListStore): AsyncGenerator<Did> {
  let after = ''
  for (let length = PAGE; length === PAGE;) {
    const page = await restores.dids(after, PAGE)
    yield* page.filter((did) => did.startsWith('did:cheqd:'))
    after = page.at(-1) ?? after
    length = page.length
  }
}

/** In the audit trail of each account, and of the installation. */
async function recordRestore(lists: readonly RestoredList[], keys: number, parts: Parts): Promise<void> {
  const { accounts, store, audit } = parts
  const byAccount = new Map<string, RestoredList[]>()
  const holders = new Map<string, string[]>()
  for (const list of lists) {
    const { did } = list
    const ids = holders.get(did) ?? (await store.renewals.holders(did)).map(({ id }) => id)
    holders.set(did, ids)
    for (const id of ids) byAccount.set(id, [...(byAccount.get(id) ?? []), list])
  }
  for (const { id, name } of await accounts.list()) {
    const detail = restoreDetail(byAccount.get(id) ?? [])
    await audit?.recordFirst({ event: 'database-restored', subject: name, detail }, { accountId: id })
  }
  await audit?.recordFirst(
    { event: 'database-restored', detail: `${restoreDetail(lists)}, ${keys} API keys revoked` },
    {},
  )
}

function restoreDetail(lists: readonly RestoredList[]): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const entries = sum(lists.map(({ takenOver }) => takenOver?.entries ?? 0))
  const skipped = sum(lists.map(({ skipped: one }) => (one ? one.to - one.from : 0)))
  return `${lists.length} status lists, ${entries} entries taken over, ${skipped} indices skipped`
}
