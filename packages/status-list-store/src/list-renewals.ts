import {
  queueName,
  type Account,
  type HeldRenewal,
  type StatusListLocation,
  type StatusListRenewal,
  type StatusListRenewals,
} from '@vidimus/core-types'
import { homeOfDid, sql, type Database } from '@vidimus/database'
import { workOn, type HeldWork, type NewWork, type Work, type WorkItem } from '@vidimus/work'
import { listOfWork, workOfList } from './list-row.js'

const KIND = 'renewal'
/** Lists that are signed at the same time, and of these of one DID. */
const MOST_AT_ONCE = 8
const SHARE = 6
/** A claim lasts, and a failed attempt is repeated, within this part of the span of a list, in milliseconds. */
const LEASE = { part: 20, least: 1000, most: 60_000 }
const FIRST_RETRY = { part: 4 }

interface HolderRow {
  id: string
  name: string
  created_at: string
}

/** When lists must be signed again. */
export class ListRenewals implements StatusListRenewals {
  private readonly work: Work

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {
    this.work = workOn(database)
  }

  async note(renewal: StatusListRenewal): Promise<void> {
    const lane = queueName('renewals of', renewal.list.did)
    await this.database.write(
      (connection) => this.work.add(connection, KIND, toItem(renewal), this.clock()),
      { lane },
    )
  }

  async find(list: StatusListLocation): Promise<StatusListRenewal | undefined> {
    const item = await this.work.find(KIND, workOfList(list))
    return item && { ...toRenewal(item), at: item.dueAt }
  }

  run({ renew, failed }: Parameters<StatusListRenewals['run']>[0]): Promise<number> {
    const running = this.work.run({
      name: KIND,
      most: MOST_AT_ONCE,
      share: SHARE,
      leaseMs,
      retry: (item) => ({ firstMs: leaseMs(item) / FIRST_RETRY.part, mostMs: leaseMs(item) }),
      isUrgent: true,
      handle: async (held) => {
        const { next, isRenewed } = await renew(toHeld(held))
        return { isDone: isRenewed, ...(next && { again: againAt(next) }) }
      },
      onFailure: failed,
      clock: this.clock,
    })
    return running.drain()
  }

  stop(): Promise<void> {
    return this.work.stop(KIND)
  }

  async holders(did: string): Promise<Account[]> {
    const rows = await this.database.query<HolderRow>(
      sql`SELECT a.id, a.name, a.created_at FROM account_did d JOIN account a ON a.id = d.account_id
        WHERE d.home = ${homeOfDid(did)} AND d.did = ${did} AND d.pending = 0 ORDER BY d.account_id`,
    )
    return rows.map(({ id, name, created_at: createdAt }) => ({ id, name, createdAt }))
  }
}

const againAt = ({ at, spanMs }: StatusListRenewal) => ({
  dueAt: at,
  ...(spanMs !== undefined && { payload: String(spanMs) }),
})

const toItem = (renewal: StatusListRenewal): NewWork => ({
  ...workOfList(renewal.list),
  ...againAt(renewal),
})

const toRenewal = ({ key, payload }: Pick<WorkItem, 'key' | 'payload'>): Omit<StatusListRenewal, 'at'> => ({
  list: listOfWork({ key }),
  ...(payload !== undefined && { spanMs: Number(payload) }),
})

const toHeld = (held: HeldWork): HeldRenewal => ({
  ...toRenewal(held.item),
  at: held.begun,
  withVersion: (next) => held.withVersion(() => ({ again: againAt(next()) })),
})

const leaseMs = ({ payload = '0' }: Pick<WorkItem, 'payload'>): number =>
  Math.min(LEASE.most, Math.max(LEASE.least, Number(payload) / LEASE.part))
