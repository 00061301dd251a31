import type { Sql } from '@vidimus/database'
import { homeOfDid, homeOfResources, joinSql, limitRows, sql } from '@vidimus/database'
import type {
  FoundResource,
  Network,
  ResourceMetadata,
  ResourceQuery,
  ResourceSummary,
  ResourceWithMetadata,
  VersionPage,
} from '@vidimus/ledger'
import type { Block, Read, Write } from './block.js'
import { refusedByLedger } from './ledger-failure.js'
import { newestThatFits } from './newest-version.js'
import { appendContent, readContent, type Succession } from './resource-content.js'
import { ofCollection, sameCollection } from './rows-of-did.js'

interface ResourceRow {
  collection_id: string
  id: string
  name: string
  type: string
  version: string
  media_type: string
  created: string
  checksum: string
  previous_version_id: string
  next_version_id: string
}

/** A resource before it has its place among the versions of its name and type. */
export type NewResource = Omit<ResourceMetadata, 'created' | 'previousVersionId' | 'nextVersionId'>

/** The owner of a resource, and its kind for quotas; none: `''`. */
export interface ResourceOwner {
  account: string
  countsAs: '' | 'resources' | 'statusLists'
}

/** One version, or the newest of a name and type. */
export type ResourceSelector =
  { collectionId: string; id: string } | { collectionId: string; name: string; type: string }

/** @throws LedgerError `resource` 2500 if the stored content does not match its checksum */
export async function findResource(
  read: Read,
  network: Network,
  selector: ResourceSelector,
): Promise<ResourceWithMetadata | undefined> {
  const [row] = await read.query<ResourceRow & { data: Buffer | null }>(
    sql`SELECT ${COLUMNS}, "c"."data" FROM "ledger_resource" "r"
      LEFT JOIN "ledger_resource_data" "c" ON ${sameCollection('c', 'r')} AND "c"."id" = "r"."id" ${condition(network, selector)}`,
  )
  if (!row) return undefined
  const metadata = toMetadata(row)
  return { data: await readContent(read, network, row.data, metadata), metadata }
}

export async function findResourceMetadata(
  read: Read,
  network: Network,
  selector: ResourceSelector,
): Promise<ResourceSummary | undefined> {
  const [row] = await read.query<ResourceRow>(
    sql`SELECT ${COLUMNS} FROM "ledger_resource" "r" ${condition(network, selector)}`,
  )
  return row && toMetadata(row)
}

/**
 * The newest matching version of each name and type. Each is found directly, over an index for its selector: anyone
 * may ask, and a list has thousands of versions.
 */
export async function findNewestResources(
  read: Read,
  network: Network,
  collectionId: string,
  query: ResourceQuery,
): Promise<FoundResource[]> {
  const { name, resourceType, after, limit } = query
  const found = await read.query<{
    id: string
    versions: number | string
  }>(sql`SELECT "n"."id", "n"."versions" FROM (
    SELECT "l"."name", "l"."type", "l"."versions", (
      SELECT "v"."id" FROM "ledger_resource" "v" WHERE ${ofCollection(network, collectionId, 'v')}
      AND "v"."name" = "l"."name" AND "v"."type" = "l"."type"
      ${newestThatFits(query)}) AS "id"
    FROM "ledger_resource_latest" "l" WHERE ${ofCollection(network, collectionId, 'l')}
    ${and(name, (text) => sql`"l"."name" = ${text}`)}
    ${and(after, (one) => sql`("l"."name", "l"."type") > (${one.name}, ${one.resourceType})`)}
    ${and(resourceType, (text) => sql`"l"."type" = ${text}`)}) "n"
    WHERE "n"."id" IS NOT NULL ORDER BY "n"."name", "n"."type" LIMIT ${limit}`)
  if (found.length === 0) return []
  // By themselves: joined to how they were found, PostgreSQL would read the whole collection to find some of it.
  const rows = await read.query<ResourceRow>(sql`SELECT ${COLUMNS} FROM "ledger_resource" "r"
    WHERE ${ofCollection(network, collectionId, 'r')} AND "r"."id" IN (${joinSql(found.map(({ id }) => id))})`)
  const byId = new Map(rows.map((row) => [row.id, toMetadata(row)]))
  return found.flatMap(({ id, versions }) => {
    const metadata = byId.get(id)
    return metadata ? [{ ...metadata, versions: Number(versions) }] : []
  })
}

const and = <T>(value: T | undefined, condition: (value: T) => Sql): Sql =>
  value === undefined ? sql`` : sql`AND ${condition(value)}`

/** Counts names and types, as many as are to be looked at. */
export async function countNames(
  read: Read,
  network: Network,
  collectionId: string,
  types: readonly string[] | undefined,
  most: number,
): Promise<{ seen: number; fitting: number }> {
  const fits = types ? sql`CASE WHEN "n"."type" IN (${joinSql([...types, ''])}) THEN 1 END` : sql`1`
  const [row] = await read.query<{ seen: number | string; fitting: number | string }>(
    sql`SELECT COUNT(*) AS "seen", COUNT(${fits}) AS "fitting" FROM (SELECT "type" FROM "ledger_resource_latest"
      WHERE ${ofCollection(network, collectionId)} LIMIT ${most}) "n"`,
  )
  return { seen: Number(row?.seen), fitting: Number(row?.fitting) }
}

/** How many versions there are of one resource. */
export async function countVersions(
  read: Read,
  network: Network,
  { collectionId, name, type }: { collectionId: string; name: string; type: string },
): Promise<number> {
  const [row] = await read.query<{ versions: number | string }>(
    sql`SELECT "versions" FROM "ledger_resource_latest" WHERE ${ofCollection(network, collectionId)}
      AND "name" = ${name} AND "type" = ${type}`,
  )
  return Number(row?.versions ?? 0)
}

/** Metadata of versions of all resources, oldest first. */
export async function findResources(
  read: Read,
  network: Network,
  collectionId: string,
  { after, ...page }: VersionPage,
): Promise<ResourceSummary[]> {
  const place = (id: string) => sql`(SELECT "height" FROM "ledger_resource"
    WHERE ${ofCollection(network, collectionId)} AND "id" = ${id.toLowerCase()})`
  // as in the index, to prevent any other plan
  const rows = await read.query<ResourceRow>(sql`SELECT ${COLUMNS} FROM "ledger_resource" "r"
    WHERE ("r"."network" || ' ' || "r"."collection_id") = ${`${network} ${collectionId}`}
    AND "r"."home" = ${homeOfDid(collectionId)}
    ${and(after, (id) => sql`"r"."height" > ${place(id)}`)}
    ORDER BY "r"."height" ${limitRows(page)}`)
  return rows.map(toMetadata)
}

/** Metadata of the versions of one resource, newest first. */
export async function findVersions(
  read: Read,
  network: Network,
  { collectionId, name, type }: { collectionId: string; name: string; type: string },
  { after, ...page }: VersionPage,
): Promise<ResourceSummary[]> {
  const place = (id: string) => sql`(SELECT "created" FROM "ledger_resource"
    WHERE ${ofCollection(network, collectionId)} AND "id" = ${id.toLowerCase()})`
  const rows = await read.query<ResourceRow>(sql`SELECT ${COLUMNS} FROM "ledger_resource" "r"
    WHERE ${ofCollection(network, collectionId, 'r')} AND "r"."name" = ${name} AND "r"."type" = ${type} ${and(after, (id) => sql`"r"."created" < ${place(id)}`)}
    ORDER BY "r"."created" DESC ${limitRows(page)}`)
  return rows.map(toMetadata)
}

/** The place of a new version. */
export interface ResourcePlace {
  idIsTaken: boolean
  /** `''` if it is the first of its name and type */
  previousVersionId: string
  /** whether the content of the version that becomes a delta is still stored whole */
  isWhole: boolean
}

/** The columns of {@link toPlace}, for the statement that reads the document of the DID. */
export function placeColumns(
  network: Network,
  {
    collectionId,
    id,
    name,
    resourceType,
  }: Pick<ResourceMetadata, 'collectionId' | 'id' | 'name' | 'resourceType'>,
  { retired }: Succession,
): Sql {
  const isWhole =
    retired &&
    sql`, (SELECT COUNT(*) FROM "ledger_resource_data" WHERE ${ofCollection(network, collectionId)} AND "id" = ${retired.id})
      AS "whole"`
  return sql`, (SELECT "id" FROM "ledger_resource" WHERE ${ofCollection(network, collectionId)} AND "id" = ${id}) AS "taken",
    (SELECT "resource_id" FROM "ledger_resource_latest" WHERE ${ofCollection(network, collectionId)}
      AND "name" = ${name} AND "type" = ${resourceType}) AS "newest"${isWhole ?? sql``}`
}

/** Everything that a new version depends on beside the document of its DID. */
export function toPlace(row: object): ResourcePlace {
  const columns = row as Readonly<Record<string, string | number | null>>
  return {
    idIsTaken: typeof columns.taken === 'string',
    previousVersionId: String(columns.newest ?? ''),
    isWhole: Number(columns.whole) > 0,
  }
}

/**
 * Appends a version after the newest one of the same name and type.
 *
 * @returns `bytes`: its size; `shrunk`: the owner of the previous version if that now takes less
 */
export function appendResource(
  write: Write,
  block: Block,
  resource: NewResource,
  content: { data: Uint8Array; place: ResourcePlace; succession: Succession; owner: ResourceOwner },
): {
  written: ResourceMetadata
  bytes: number
  shrunk: { account: string; freed: number } | undefined
} {
  const { data, place, succession, owner } = content
  const { previousVersionId, isWhole } = place
  const metadata = { ...resource, created: block.time, previousVersionId, nextVersionId: '' }
  const names = JSON.stringify(metadata.alsoKnownAs)
  insertResource(write, block, metadata, { size: data.length, names, ...owner })
  const shrunk = appendContent(write, block.network, metadata, data, { ...succession, isWhole })
  markLatest(write, block.network, metadata)
  return { written: metadata, bytes: data.length + Buffer.byteLength(names), shrunk }
}

function insertResource(
  write: Write,
  { network, height }: Block,
  metadata: ResourceMetadata,
  { size, names, account, countsAs }: ResourceOwner & { size: number; names: string },
): void {
  const { collectionId, id } = metadata
  write.send(
    sql`INSERT INTO "ledger_resource" ("home", "network", "collection_id", "id", "height", "name",
    "type", "version", "media_type", "created", "checksum", "also_known_as", "size", "previous_version_id", "next_version_id",
    "account_id", "counts_as")
    VALUES (${homeOfDid(collectionId)}, ${network}, ${collectionId}, ${id}, ${height}, ${metadata.name},
    ${metadata.resourceType}, ${metadata.version}, ${metadata.mediaType}, ${metadata.created.toISOString()}, ${metadata.checksum},
    ${names}, ${size}, ${metadata.previousVersionId}, ${''}, ${account}, ${countsAs})`.changing(
      homeOfResources(collectionId),
    ),
    refusedByLedger,
  )
}

function markLatest(write: Write, network: Network, metadata: ResourceMetadata): void {
  const { collectionId, id, name, resourceType, previousVersionId } = metadata
  write.send(
    sql`INSERT INTO "ledger_resource_latest"
    ("home", "network", "collection_id", "name", "type", "resource_id", "versions")
    VALUES (${homeOfDid(collectionId)}, ${network}, ${collectionId}, ${name}, ${resourceType}, ${id}, 1)
    ON CONFLICT ("home", "network", "collection_id", "name", "type") DO UPDATE
    SET "resource_id" = ${id}, "versions" = "ledger_resource_latest"."versions" + 1`.changing(
      homeOfResources(collectionId),
    ),
    refusedByLedger,
  )
  if (previousVersionId === '') return
  const link = sql`UPDATE "ledger_resource" SET "next_version_id" = ${id}
    WHERE ${ofCollection(network, collectionId)} AND "id" = ${previousVersionId}`
  write.send(link.changing(homeOfResources(collectionId)))
}

const COLUMNS = sql`"r"."collection_id", "r"."id", "r"."name", "r"."type", "r"."version", "r"."media_type",
  "r"."created", "r"."checksum", "r"."previous_version_id", "r"."next_version_id"`

/**
 * The id of the newest version is looked up separately: with a join and a generic plan, PostgreSQL may scan all
 * versions of a collection.
 */
const condition = (network: Network, selector: ResourceSelector): Sql => {
  const id =
    'id' in selector
      ? sql`${selector.id}`
      : sql`(SELECT "l"."resource_id" FROM "ledger_resource_latest" "l"
        WHERE ${ofCollection(network, selector.collectionId, 'l')} AND "l"."name" = ${selector.name}
        AND "l"."type" = ${selector.type})`
  return sql`WHERE ${ofCollection(network, selector.collectionId, 'r')} AND "r"."id" = ${id}`
}

const toMetadata = (row: ResourceRow): ResourceSummary => ({
  collectionId: row.collection_id,
  id: row.id,
  name: row.name,
  version: row.version,
  resourceType: row.type,
  mediaType: row.media_type,
  created: new Date(row.created),
  checksum: row.checksum,
  previousVersionId: row.previous_version_id,
  nextVersionId: row.next_version_id,
})
