import { asBuffer } from '@vidimus/core-types'
import { homeOfDid, sql } from '@vidimus/database'
import { checksumOf, type Network, type ResourceMetadata, type ResourceSummary } from '@vidimus/ledger'
import type { Read, Write } from './block.js'
import { applyDeltas, costOfDelta, deltaBetween } from './content-delta.js'
import { damagedContent, refusedByLedger } from './ledger-failure.js'
import { ofCollection } from './rows-of-did.js'

/** The most deltas applied to read a version, and their total cost: some milliseconds. */
export const LONGEST_CHAIN = 256
export const DEAREST_CHAIN = 2 ** 25

/** The previous version, whose content is stored whole, and its delta from that of a new version. */
interface Retired {
  id: string
  delta: Uint8Array
  /** bytes that it takes less than the whole content */
  freed: number
  /** whose it is */
  account: string
}

/** The change of the earlier history that a new version allows. */
export interface Succession {
  /** the previous version; absent if it stays whole */
  retired?: Retired
  /** the most deltas applied in a row from the new version to an earlier one */
  chainLength: number
  /** of these deltas together, as {@link costOfDelta} has it */
  chainCost: number
}

type ContentName = Pick<ResourceMetadata, 'collectionId' | 'name' | 'resourceType'>

/**
 * Determines whether the content of the previous version can be stored as a delta once a new version exists. Published
 * contents never change, so the result stays valid whoever writes meanwhile.
 */
export async function planSuccession(
  read: Read,
  network: Network,
  resource: ContentName,
  data: Uint8Array,
): Promise<Succession> {
  const [row] = await read.query<WholeRow>(selectNewest(network, resource))
  const delta = row && mayGrow(row) ? deltaBetween(data, row.data) : undefined
  const cost = row && delta ? Number(row.chain_cost) + costOfDelta(delta, row.data) : Infinity
  if (!row || !delta || cost > DEAREST_CHAIN) return { chainLength: 0, chainCost: 0 }
  return {
    retired: { id: row.id, delta, freed: row.data.length - delta.length, account: row.account_id },
    chainLength: Number(row.chain_length) + 1,
    chainCost: cost,
  }
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

/** Each look-up by itself: in a join, PostgreSQL may read all versions that there are. */
const selectNewest = (network: Network, { collectionId, name, resourceType }: ContentName) =>
  sql`SELECT "c"."id", "c"."data", "c"."chain_length", "c"."chain_cost", (SELECT "o"."account_id" FROM "ledger_resource" "o"
    WHERE ${ofCollection(network, collectionId, 'o')} AND "o"."id" = "c"."id") AS "account_id"
  FROM "ledger_resource_data" "c" WHERE ${ofCollection(network, collectionId, 'c')} AND "c"."id" =
    (SELECT "l"."resource_id" FROM "ledger_resource_latest" "l" WHERE ${ofCollection(network, collectionId, 'l')}
      AND "l"."name" = ${name} AND "l"."type" = ${resourceType})`

/**
 * Stores the content of a new version, which must become the newest in the same transaction.
 *
 * @returns the owner of the previous content if that now takes less room
 */
export function appendContent(
  write: Write,
  network: Network,
  { collectionId, id }: Pick<ResourceMetadata, 'collectionId' | 'id'>,
  data: Uint8Array,
  { retired, chainLength, chainCost, isWhole }: Succession & { isWhole: boolean },
): Pick<Retired, 'account' | 'freed'> | undefined {
  write.send(
    sql`INSERT INTO "ledger_resource_data"
    ("home", "network", "collection_id", "id", "data", "chain_length", "chain_cost")
    VALUES (${homeOfDid(collectionId)}, ${network}, ${collectionId}, ${id}, ${asBuffer(data)}, ${chainLength}, ${chainCost})`,
    refusedByLedger,
  )
  // Another process may have made a delta of it meanwhile, which is as good.
  if (!retired || !isWhole) return undefined
  write.send(sql`DELETE FROM "ledger_resource_data"
    WHERE ${ofCollection(network, collectionId)} AND "id" = ${retired.id}`)
  write.send(
    sql`INSERT INTO "ledger_resource_delta" ("home", "network", "collection_id", "id", "base_id", "delta")
    VALUES (${homeOfDid(collectionId)}, ${network}, ${collectionId}, ${retired.id}, ${id}, ${asBuffer(retired.delta)})`,
    refusedByLedger,
  )
  return retired
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
