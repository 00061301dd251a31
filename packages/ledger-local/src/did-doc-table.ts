import { groupByHome, homeOfDid, homeOfResources, joinSql, limitRows, sql, type Sql } from '@vidimus/database'
import type { DidDocMetadata, DidDocWithMetadata, LedgerDidDoc, Network, VersionPage } from '@vidimus/ledger'
import type { Block, Place, Read, Write } from './block.js'
import { refusedByLedger } from './ledger-failure.js'
import { ofDid } from './rows-of-did.js'

interface VersionRow {
  version_id: string
  previous_version_id: string
  next_version_id: string
  created: string
  updated: string | null
  deactivated: number
  doc: string
}

/** The newest version of a document, or the one named. */
export async function findDidDoc(
  read: Read,
  network: Network,
  did: string,
  versionId?: string,
): Promise<DidDocWithMetadata | undefined> {
  const wanted = versionId === undefined ? sql`"d"."latest_version_id"` : sql`${versionId}`
  const [row] = await read.query<VersionRow>(
    sql`${selectVersions(sql`, "v"."doc"`)} WHERE ${ofDid(network, did, 'v')} AND "v"."version_id" = ${wanted}`,
  )
  return row && { didDoc: JSON.parse(row.doc) as LedgerDidDoc, metadata: toMetadata(row) }
}

/**
 * The newest version in the running transaction, and how far its DID has come.
 *
 * @param beside - more columns, which `row` has
 */
export async function findNewestAndPlace(
  read: Read,
  network: Network,
  did: string,
  beside: Sql = sql``,
): Promise<{ found: DidDocWithMetadata; place: Place; row: object } | undefined> {
  const [row] = await read.query<VersionRow & { height: number | string; last_time: string }>(
    sql`${selectVersions(sql`, "v"."doc", "d"."height", "d"."last_time"${beside}`)}
      WHERE ${ofDid(network, did, 'v')} AND "v"."version_id" = "d"."latest_version_id"`,
  )
  if (!row) return undefined
  const found = { didDoc: JSON.parse(row.doc) as LedgerDidDoc, metadata: toMetadata(row) }
  return { found, place: { height: Number(row.height), time: new Date(row.last_time) }, row }
}

/**
 * Until the transaction ends, the documents of these DIDs do not change; it fails if one has changed since it began. All
 * transactions lock by partition, then DID, so that none waits for one that waits for it. A statement asks one partition:
 * each may lie on a server of its own.
 *
 * @param subject - the one among them whose row will be changed
 */
export async function lockDids(
  read: Read,
  network: Network,
  subject: string,
  dids: readonly string[],
): Promise<void> {
  const homes = groupByHome(dids.map((did) => ({ home: homeOfDid(did), did })))
  for (const [home, rows] of [...homes].sort(([one], [other]) => one - other)) {
    const own = rows.some(({ did }) => did === subject)
    await read.query(
      sql`SELECT "did" FROM "ledger_did" WHERE "home" = ${home} AND "network" = ${network}
        AND "did" IN (${joinSql(rows.map(({ did }) => did))}) ORDER BY "did" ${own ? TO_CHANGE : sql`FOR SHARE`}`,
    )
  }
}

const TO_CHANGE = sql`FOR NO KEY UPDATE`

/** Metadata of versions, oldest first. */
export async function findDidDocVersions(
  read: Read,
  network: Network,
  did: string,
  { after, ...page }: VersionPage,
): Promise<DidDocMetadata[]> {
  const behind = (id: string) => sql`AND ${TIME} > (SELECT ${TIME} FROM "ledger_did_version" "v"
    WHERE ${ofDid(network, did, 'v')} AND "v"."version_id" = ${id.toLowerCase()})`
  const rows = await read.query<VersionRow>(
    sql`${selectVersions(sql``)} WHERE ${ofDid(network, did, 'v')}
      ${after === undefined ? sql`` : behind(after)} ORDER BY ${TIME} ${limitRows(page)}`,
  )
  return rows.map(toMetadata)
}

/** Metadata of the newest version that was made before a time. */
export async function findDidDocVersionBefore(
  read: Read,
  network: Network,
  did: string,
  before: Date,
): Promise<DidDocMetadata | undefined> {
  const [row] = await read.query<VersionRow>(
    sql`${selectVersions(sql``)} WHERE ${ofDid(network, did, 'v')}
      AND ${TIME} < ${before.toISOString()} ORDER BY ${TIME} DESC LIMIT 1`,
  )
  return row && toMetadata(row)
}

/** When a version was made: an index has it. */
const TIME = sql`COALESCE("v"."updated", "v"."created")`

const selectVersions = (
  more: Sql,
) => sql`SELECT "v"."version_id", "v"."previous_version_id", "v"."next_version_id",
  "v"."created", "v"."updated", "d"."deactivated"${more}
  FROM "ledger_did_version" "v" JOIN "ledger_did" "d" ON "d"."home" = "v"."home"
    AND "d"."network" = "v"."network" AND "d"."did" = "v"."did"`

/** A deactivation closes every version of the document, so it is stored once for all of them. */
const toMetadata = (row: VersionRow): DidDocMetadata => ({
  created: new Date(row.created),
  ...(row.updated === null ? {} : { updated: new Date(row.updated) }),
  deactivated: Number(row.deactivated) === 1,
  versionId: row.version_id,
  nextVersionId: row.next_version_id,
  previousVersionId: row.previous_version_id,
})

export async function hasDidDocVersion(
  read: Read,
  network: Network,
  did: string,
  versionId: string,
): Promise<boolean> {
  const rows = await read.query(sql`SELECT "version_id" FROM "ledger_did_version"
    WHERE ${ofDid(network, did)} AND "version_id" = ${versionId}`)
  return rows.length > 0
}

/** Appends a version of a document after the newest one that there is. */
export function appendDidDoc(
  write: Write,
  block: Block,
  version: {
    didDoc: LedgerDidDoc
    versionId: string
    deactivated: boolean
    previous: DidDocWithMetadata | undefined
    /** the writing account */
    account: string
  },
): { written: DidDocWithMetadata; bytes: number } {
  const { didDoc, versionId, deactivated, previous, account } = version
  const metadata: DidDocMetadata = {
    created: previous?.metadata.created ?? block.time,
    ...(previous ? { updated: block.time } : {}),
    deactivated,
    versionId,
    nextVersionId: '',
    previousVersionId: previous?.metadata.versionId ?? '',
  }
  const doc = JSON.stringify(didDoc)
  insertVersion(write, block, { did: didDoc.id, doc, account }, metadata)
  markLatest(write, block, didDoc.id, metadata)
  return { written: { didDoc, metadata }, bytes: Buffer.byteLength(doc) }
}

function insertVersion(
  write: Write,
  { network, height }: Block,
  { did, doc, account }: { did: string; doc: string; account: string },
  { versionId, previousVersionId, created, updated }: DidDocMetadata,
): void {
  write.send(
    sql`INSERT INTO "ledger_did_version" ("home", "network", "did", "version_id", "height",
    "previous_version_id", "next_version_id", "created", "updated", "doc", "account_id")
    VALUES (${homeOfDid(did)}, ${network}, ${did}, ${versionId}, ${height}, ${previousVersionId}, ${''},
    ${created.toISOString()}, ${updated?.toISOString() ?? null}, ${doc}, ${account})`.changing(
      homeOfDid(did),
    ),
    refusedByLedger,
  )
}

function markLatest(
  write: Write,
  { network, height, time }: Block,
  did: string,
  { versionId, previousVersionId, deactivated }: DidDocMetadata,
): void {
  const flag = deactivated ? 1 : 0
  if (previousVersionId === '') {
    write.send(
      sql`INSERT INTO "ledger_did"
      ("home", "network", "did", "latest_version_id", "deactivated", "height", "last_time") VALUES
      (${homeOfDid(did)}, ${network}, ${did}, ${versionId}, ${flag}, ${height}, ${time.toISOString()})`.changing(
        homeOfDid(did),
      ),
      refusedByLedger,
    )
    return
  }
  const newest = sql`UPDATE "ledger_did" SET "latest_version_id" = ${versionId}, "deactivated" = ${flag},
    "height" = ${height}, "last_time" = ${time.toISOString()} WHERE ${ofDid(network, did)}`
  write.send(newest.changing(homeOfDid(did)))
  const link = sql`UPDATE "ledger_did_version" SET "next_version_id" = ${versionId}
    WHERE ${ofDid(network, did)} AND "version_id" = ${previousVersionId}`
  write.send(link.changing(homeOfDid(did)))
}

/** A resource is a block of its DID as well, whose document it does not change. */
export function markBlock(write: Write, { network, height, time }: Block, did: string): void {
  const block = sql`UPDATE "ledger_did" SET "height" = ${height}, "last_time" = ${time.toISOString()}
    WHERE ${ofDid(network, did)}`
  write.send(block.changing(homeOfResources(did)))
}
