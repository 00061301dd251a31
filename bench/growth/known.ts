import { homeOfDid, sql, type Database, type Sql } from '@vidimus/database'
import type { Installation, Subjects } from './installation.js'

/** What operations need to know of an installation, found in its database. */
export interface Known extends Subjects {
  /** some that sign */
  dids: string[]
  kids: string[]
  /** what goes before the last page, as `after` */
  lastPages: {
    dids: string
    didsByTime: string
    keys: string
    lists: string
    versions: string
    events: string
  }
  /** of the list with many versions, the oldest and one from the middle */
  versions: { oldest: Version; middle: Version }
  /** the same of the DID with many documents */
  documents: { oldest: Version; middle: Version }
}

export interface Version {
  id: string
  created: string
}

export const PAGE = 10
const SOME = 100

export async function look(installation: Installation): Promise<Known> {
  const { subjects } = installation
  return installation.withDatabase(async (database) => {
    const { account, publisher, history, changed } = subjects
    const collection = publisher.split(':').at(-1) ?? ''
    const one = async <Row>(statement: Sql): Promise<Row> => {
      const [row] = await database.query<Row>(statement)
      if (row === undefined) throw new Error(`nothing was found: ${statement.text('sqlite')}`)
      return row
    }
    const before = (order: Sql) => sql`ORDER BY ${order} LIMIT 1 OFFSET ${PAGE}`
    const held = sql`FROM account_did WHERE account_id = ${account.id} AND pending = 0`
    const lists = sql`FROM ledger_resource_latest WHERE home = ${homeOfDid(collection)}
      AND network = 'testnet' AND collection_id = ${collection}`
    const did = await one<{ did: string }>(sql`SELECT did ${held} ${before(sql`did DESC`)}`)
    const byTime = await one<{ created_at: string; did: string }>(
      sql`SELECT created_at, did ${held} ${before(sql`created_at DESC, did DESC`)}`,
    )
    const key = await one<{ kid: string }>(
      sql`SELECT kid FROM account_key WHERE account_id = ${account.id} ${before(sql`kid DESC`)}`,
    )
    const list = await one<{ name: string; type: string }>(
      sql`SELECT name, type ${lists} ${before(sql`name DESC`)}`,
    )
    const event = await one<{ last: number }>(
      sql`SELECT last FROM account_event_head WHERE account_id = ${account.id}`,
    )
    const versions = await versionsIn(
      database,
      sql`SELECT id, created FROM ledger_resource WHERE home = ${homeOfDid(collection)} AND network = 'testnet'
        AND collection_id = ${collection} AND name = ${history.statusListName} ORDER BY height`,
    )
    const documents = await versionsIn(
      database,
      sql`SELECT version_id AS id, COALESCE(updated, created) AS created FROM ledger_did_version
        WHERE home = ${homeOfDid(changed)} AND network = 'testnet' AND did = ${changed} ORDER BY height`,
    )
    const dids = await database.query<{ did: string; kid: string }>(
      sql`SELECT d.did, k.kid FROM account_did d
        JOIN account_did_key k ON k.account_id = d.account_id AND k.did = d.did
        JOIN ledger_did l ON l.network = 'testnet' AND l.did = d.did
        WHERE d.account_id = ${account.id} AND d.pending = 0 AND l.deactivated = 0
          AND d.did NOT IN (${publisher}, ${changed}) ORDER BY d.created_at LIMIT ${SOME}`,
    )
    return {
      ...subjects,
      dids: dids.map((row) => row.did),
      kids: dids.map((row) => row.kid),
      lastPages: {
        dids: place(did.did),
        didsByTime: place(byTime.created_at, byTime.did),
        keys: place(key.kid),
        lists: place(list.name, list.type),
        versions: versions.all.at(PAGE)?.id ?? '',
        events: String(Math.max(0, Number(event.last) - PAGE)).padStart(16, '0'),
      },
      versions,
      documents,
    }
  })
}

const place = (...parts: string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

async function versionsIn(database: Database, statement: Sql) {
  const all = await database.query<Version>(statement)
  const [oldest, middle] = [all[0], all[Math.floor(all.length / 2)]]
  if (!oldest || !middle) throw new Error('there is no version')
  return { all, oldest, middle }
}
