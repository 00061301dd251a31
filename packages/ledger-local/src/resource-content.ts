import { asBuffer } from '@vidimus/core-types'
import { homeOfDid, sql } from '@vidimus/database'
import { checksumOf, type Network, type ResourceMetadata, type ResourceSummary } from '@vidimus/ledger'
import type { Read, Write } from './block.js'
import { applyDeltas, costOfDelta, deltaBetween } from './content-delta.js'
import { damagedContent, refusedByLedger } from './ledger-failure.js'
import { newestThatFits } from './newest-version.js'
import { ofCollection, sameCollection } from './rows-of-did.js'

/** The most deltas applied to read a version, and their total cost: some milliseconds. */
export const LONGEST_CHAIN = 256
export const DEAREST_CHAIN = 2 ** 25

/** A version whose content is stored whole, and its delta from that of a new version. */
interface Retired {
  id: string
  delta: Uint8Array
  /** bytes that it takes less than the whole content */
  freed: number
  /** whose it is */
  account: string
}

/** The changes of the earlier history that a new version allows. */
export interface Succession {
  retired: readonly Retired[]
  /** the most deltas applied in a row from the new version to an earlier one */
  chainLength: number
  /** of these deltas together, as {@link costOfDelta} has it */
  chainCost: number
}

type ContentName = Pick<ResourceMetadata, 'collectionId' | 'name' | 'resourceType' | 'checksum'>

/**
 * Determines which contents can be stored as deltas once a new version exists: that of the previous version, and an
 * equal one. Published contents never change, so the result stays valid whoever writes meanwhile.
 */
export async function planSuccession(
  read: Read,
  network: Network,
  resource: ContentName,
  data: Uint8Array,
): Promise<Succession> {
  // if the newest is the equal one, it is reported once
  const whole = new Map(
    (await read.query<WholeRow>(selectWhole(network, resource))).map((row) => [row.id, row]),
  )
  const retired: Retired[] = []
  let chainLength = 0
  let chainCost = 0
  for (const row of whole.values()) {
    const delta = mayGrow(row) ? deltaBetween(data, row.data) : undefined
    const cost = delta ? Number(row.chain_cost) + costOfDelta(delta, row.data) : Infinity
    if (!delta || cost > DEAREST_CHAIN) continue
    retired.push({
      id: row.id,
      delta,
      freed: row.data.length - delta.length,
      account: row.account_id,
    })
    chainLength = Math.max(chainLength, Number(row.chain_length) + 1)
    chainCost = Math.max(chainCost, cost)
  }
  return { retired, chainLength, chainCost }
}

/** The cost of a chain from before it was counted is unknown: its newest version stays whole. */
function mayGrow({ data, chain_length, chain_cost }: WholeRow): boolean {
  const [length, cost] = [Number(chain_length), Number(chain_cost)]
  const isKnown = length === 0 || cost > 0
  return isKnown && length < LONGEST_CHAIN && cost + data.length <= DEAREST_CHAIN
}

interface WholeRow {
  id: string
  data: Buffer
  chain_length: number
  chain_cost: number
  account_id: string
}

/** Whose the content is; looked up by itself, as PostgreSQL may join it to all that there is. */
const owner = (network: Network, collectionId: string) =>
  sql`(SELECT "o"."account_id" FROM "ledger_resource" "o" WHERE ${ofCollection(network, collectionId, 'o')}
  AND "o"."id" = "c"."id") AS "account_id"`

/** The newest version, and the newest of those with the same content. */
const selectWhole = (
  network: Network,
  { collectionId, name, resourceType, checksum }: ContentName,
) => sql`SELECT "c"."id", "c"."data", "c"."chain_length", "c"."chain_cost", ${owner(network, collectionId)} FROM "ledger_resource_latest" "l"
  JOIN "ledger_resource_data" "c" ON ${sameCollection('c', 'l')} AND "c"."id" = "l"."resource_id"
  WHERE ${ofCollection(network, collectionId, 'l')} AND "l"."name" = ${name} AND "l"."type" = ${resourceType}
  UNION ALL SELECT "c"."id", "c"."data", "c"."chain_length", "c"."chain_cost", ${owner(network, collectionId)} FROM (SELECT "v"."id" FROM "ledger_resource" "v"
  WHERE ${ofCollection(network, collectionId, 'v')} AND "v"."name" = ${name} AND "v"."type" = ${resourceType} ${newestThatFits({ checksum })}) "equal"
  JOIN "ledger_resource_data" "c" ON ${ofCollection(network, collectionId, 'c')} AND "c"."id" = "equal"."id"`

/**
 * Stores the content of a new version, which must become the newest in the same transaction.
 *
 * @returns the owner of earlier contents that now take less room
 */
export function appendContent(
  write: Write,
  network: Network,
  { collectionId, id }: Pick<ResourceMetadata, 'collectionId' | 'id'>,
  data: Uint8Array,
  { retired, chainLength, chainCost, whole }: Succession & { whole: ReadonlySet<string> },
): Pick<Retired, 'account' | 'freed'>[] {
  write.send(
    sql`INSERT INTO "ledger_resource_data"
    ("home", "network", "collection_id", "id", "data", "chain_length", "chain_cost")
    VALUES (${homeOfDid(collectionId)}, ${network}, ${collectionId}, ${id}, ${asBuffer(data)}, ${chainLength}, ${chainCost})`,
    refusedByLedger,
  )
  const shrunk: Pick<Retired, 'account' | 'freed'>[] = []
  for (const { id: old, delta, account, freed } of retired) {
    // another process has made a delta of it meanwhile, which is as good
    if (!whole.has(old)) continue
    write.send(sql`DELETE FROM "ledger_resource_data"
      WHERE ${ofCollection(network, collectionId)} AND "id" = ${old}`)
    write.send(
      sql`INSERT INTO "ledger_resource_delta" ("home", "network", "collection_id", "id", "base_id", "delta")
      VALUES (${homeOfDid(collectionId)}, ${network}, ${collectionId}, ${old}, ${id}, ${asBuffer(delta)})`,
      refusedByLedger,
    )
    shrunk.push({ account, freed })
  }
  return shrunk
}

/**
 * The published bytes.
 *
 * @param whole - if stored whole
 * @throws LedgerError `resource` 2500 if they do not match the checksum
 */
export async function readContent(
  read: Read,
  network: Network,
  whole: Uint8Array | null,
  { collectionId, id, checksum }: ResourceSummary,
): Promise<Uint8Array> {
  const content = whole ?? (await rebuild(read, network, collectionId, id))
  if (!content || checksumOf(content) !== checksum) throw damagedContent(network, collectionId, id)
  return new Uint8Array(content)
}

/** @returns `undefined` if something is missing, or a delta does not match its base */
async function rebuild(
  read: Read,
  network: Network,
  collectionId: string,
  id: string,
): Promise<Uint8Array | undefined> {
  // one statement, as a writer may be making deltas of the same versions
  const chain = await read.query<{
    data: Buffer
  }>(sql`WITH RECURSIVE "chain" ("delta", "base_id", "step") AS (
    SELECT "delta", "base_id", 1 FROM "ledger_resource_delta"
    WHERE ${ofCollection(network, collectionId)} AND "id" = ${id}
    UNION ALL SELECT "d"."delta", "d"."base_id", "s"."step" + 1 FROM "chain" "s"
    JOIN "ledger_resource_delta" "d" ON ${ofCollection(network, collectionId, 'd')}
    AND "d"."id" = "s"."base_id")
    SELECT "delta" AS "data", "step" FROM "chain"
    UNION ALL SELECT "c"."data", "s"."step" + 1 FROM "chain" "s"
    JOIN "ledger_resource_data" "c" ON ${ofCollection(network, collectionId, 'c')}
    AND "c"."id" = "s"."base_id" ORDER BY 2 DESC`)
  const [whole, ...deltas] = chain
  if (!whole) return undefined
  try {
    return await applyDeltas(
      whole.data,
      deltas.map(({ data }) => data),
    )
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
