import type { Account, DIDRotation, Kid } from '@vidimus/core-types'
import { homeOfDid, sql, type Connection, type Sql } from '@vidimus/database'
import { isDid } from '../home-conditions.js'

/** `checking` and `sweeping` are, for callers, parts of `removing`: lists are looked at before and after. */
export type RotationStep = DIDRotation['state'] | 'checking' | 'sweeping'

/** A rotation, and whose it is. */
export interface Rotation {
  account: Account
  did: string
  id: string
  state: RotationStep
  kid: Kid
  kms: string
  formerKid: Kid
  gracePeriod: string | null
  /** the place behind the lists that were looked at in this step */
  listsAfter: string | null
  listsSigned: number
  startedAt: string
  signsSince: string | null
  removesAt: string | null
  endedAt: string | null
  failure: string | null
}

/** The work of a rotation. */
export const ROTATION = 'rotation'

/** There is an item until the rotation has ended, or only its caller can say when the former key goes. */
export const rotationItem = (account: string, did: string) => ({
  ...{ home: homeOfDid(did), key: JSON.stringify([did, account]), owner: account },
  since: new Date(),
})

interface RotationRow {
  account_id: string
  account_name: string
  account_created_at: string
  did: string
  id: string
  state: RotationStep
  kid: Kid
  kms: string
  former_kid: Kid
  grace_period: string | null
  lists_after: string | null
  lists_signed: number | string
  started_at: string
  signs_since: string | null
  removes_at: string | null
  ended_at: string | null
  failure: string | null
}

interface Reader {
  query<Row>(statement: Sql): Promise<Row[]>
}

/** DIDs that are looked at in one go. */
const TOGETHER = 100

const SELECT = sql`SELECT r.account_id, a.name AS account_name, a.created_at AS account_created_at, r.did, r.id, r.state, r.kid,
    r.kms, r.former_kid, r.grace_period, r.lists_after, r.lists_signed, r.started_at, r.signs_since,
    r.removes_at, r.ended_at, r.failure
  FROM did_rotation r JOIN account a ON a.id = r.account_id`

export async function findRotation(
  reader: Reader,
  account: string,
  did: string,
): Promise<Rotation | undefined> {
  const [row] = await reader.query<RotationRow>(sql`${SELECT} WHERE ${isDid(account, did, sql`r.`)}`)
  return row && rowRotation(row)
}

/** @returns `false` if one is running */
export async function insertRotation(
  connection: Connection,
  account: string,
  rotation: Pick<Rotation, 'did' | 'id' | 'kid' | 'kms' | 'formerKid' | 'gracePeriod' | 'startedAt'>,
): Promise<boolean> {
  const { did, id, kid, kms, formerKid, gracePeriod, startedAt } = rotation
  const changed = await connection.run(sql`INSERT INTO did_rotation
      (home, account_id, did, id, state, kid, kms, former_kid, grace_period, lists_signed, started_at)
    VALUES (${homeOfDid(did)}, ${account}, ${did}, ${id}, 'adding', ${kid}, ${kms}, ${formerKid}, ${gracePeriod}, 0, ${startedAt})
    ON CONFLICT (home, account_id, did) DO UPDATE SET id = excluded.id, state = excluded.state, kid = excluded.kid,
      kms = excluded.kms, former_kid = excluded.former_kid, grace_period = excluded.grace_period, lists_after = NULL,
      lists_signed = 0, started_at = excluded.started_at, signs_since = NULL, removes_at = NULL, ended_at = NULL, failure = NULL
    WHERE did_rotation.ended_at IS NOT NULL`)
  return changed === 1
}

/** Records the progress. Not how long its key stays: that may have changed meanwhile. */
export async function saveRotation(connection: Connection, rotation: Rotation): Promise<void> {
  const { account, did, id, state, listsAfter, listsSigned } = rotation
  const { signsSince, removesAt, endedAt, failure } = rotation
  await connection.run(
    sql`UPDATE did_rotation SET state = ${state}, lists_after = ${listsAfter}, lists_signed = ${listsSigned},
      signs_since = ${signsSince}, removes_at = ${removesAt}, ended_at = ${endedAt}, failure = ${failure}
      WHERE ${isDid(account.id, did)} AND id = ${id}`,
  )
}

/** Sets how long the former key stays, replacing any earlier value. @returns `false` if the rotation has ended */
export async function setGracePeriod(
  connection: Connection,
  { account, did, id }: Rotation,
  gracePeriod: string,
): Promise<boolean> {
  const changed = await connection.run(
    sql`UPDATE did_rotation SET grace_period = ${gracePeriod}
      WHERE ${isDid(account.id, did)} AND id = ${id} AND ended_at IS NULL`,
  )
  return changed === 1
}

/** A DID whose key has signed for long. */
export interface OverdueDid {
  account: Account
  did: string
}

/**
 * DIDs of a provider that were made, and whose last rotation ended, before a time.
 *
 * @param after - the last one that was looked at
 */
export async function overdueDids(
  reader: Reader,
  { providers, before, failedBefore }: { providers: Sql; before: string; failedBefore: string },
  after: OverdueDid | undefined,
): Promise<OverdueDid[]> {
  const further = after ? sql`AND (d.account_id, d.did) > (${after.account.id}, ${after.did})` : sql``
  const rows = await reader.query<{ account_id: string; name: string; created_at: string; did: string }>(
    sql`SELECT d.account_id, a.name, a.created_at, d.did FROM account_did d JOIN account a ON a.id = d.account_id
      LEFT JOIN did_rotation r ON r.home = d.home AND r.account_id = d.account_id AND r.did = d.did
      WHERE d.pending = 0 AND d.provider IN (${providers}) AND d.created_at <= ${before} ${further}
        AND (r.did IS NULL OR r.ended_at <= ${before} OR (r.state = 'failed' AND r.ended_at <= ${failedBefore}))
      ORDER BY d.account_id, d.did LIMIT ${TOGETHER}`,
  )
  return rows.map(({ account_id: id, name, created_at: createdAt, did }) => ({
    account: { id, name, createdAt },
    did,
  }))
}

const rowRotation = (row: RotationRow): Rotation => ({
  account: { id: row.account_id, name: row.account_name, createdAt: row.account_created_at },
  did: row.did,
  id: row.id,
  state: row.state,
  kid: row.kid,
  kms: row.kms,
  formerKid: row.former_kid,
  gracePeriod: row.grace_period,
  listsAfter: row.lists_after,
  listsSigned: Number(row.lists_signed),
  startedAt: row.started_at,
  signsSince: row.signs_since,
  removesAt: row.removes_at,
  endedAt: row.ended_at,
  failure: row.failure,
})

/** As callers see it. */
export const shownRotation = (rotation: Rotation): DIDRotation => ({
  did: rotation.did,
  state: rotation.state === 'checking' || rotation.state === 'sweeping' ? 'removing' : rotation.state,
  key: rotation.kid,
  kms: rotation.kms,
  formerKey: rotation.formerKid,
  signedLists: rotation.listsSigned,
  startedAt: rotation.startedAt,
  ...(rotation.signsSince !== null && { signsSince: rotation.signsSince }),
  ...(rotation.gracePeriod !== null && { gracePeriod: rotation.gracePeriod }),
  ...(rotation.removesAt !== null && { removesAt: rotation.removesAt }),
  ...(rotation.endedAt !== null && { endedAt: rotation.endedAt }),
  ...(rotation.failure !== null && { failure: rotation.failure }),
})
