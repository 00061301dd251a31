import {
  tellAccount,
  type Did,
  type ListFill,
  type StatusListLocation,
  type ToldChange,
  type WantedIndex,
} from '@vidimus/core-types'
import {
  homeOfDid,
  joinSql,
  sql,
  type Connection,
  type Database,
  type Reader,
  type Sql,
} from '@vidimus/database'
import { tellerIn } from './jobs/held-job.js'
import { ofList, type ListKey, type ListNumber, type LocatedKey } from './list-row.js'

/** Percentage of allocated indices from which a list counts as nearly full. */
export const NEARLY_FULL_PERCENT = 90

export const isNearlyFull = ({ allocated, entries }: ListFill): boolean =>
  entries > 0 && allocated * 100 >= entries * NEARLY_FULL_PERCENT

/** Counts indices that were allocated otherwise than in the order of their list. */
export const countAllocated = (list: ListKey, count: number): Sql =>
  sql`UPDATE "status_list_order" SET "allocated" = "allocated" + ${count} WHERE ${ofList(list)}`

/** What {@link countAllocated} returns of an order. */
export interface FillRow {
  allocated: ListNumber
  entries: ListNumber
  told_nearly_full: number
}

export const FILL_COLUMNS = sql`"allocated", "entries", "told_nearly_full"`

/** How much of lists of a DID is allocated; those without an order are missing. */
export async function readFills(
  reader: Reader,
  did: Did,
  lists: readonly StatusListLocation[],
): Promise<(StatusListLocation & ListFill)[]> {
  if (lists.length === 0) return []
  const named = lists.map(({ statusListName, resourceType }) => sql`(${statusListName}, ${resourceType})`)
  const rows = await reader.query<FilledRow>(
    sql`SELECT "l"."name", "l"."resource_type", "o"."allocated", "o"."entries" FROM "status_list" "l"
      JOIN "status_list_order" "o" ON "o"."home" = "l"."home" AND "o"."list_id" = "l"."id"
      WHERE "l"."home" = ${homeOfDid(did)} AND "l"."did" = ${did}
        AND ("l"."name", "l"."resource_type") IN (VALUES ${joinSql(named)})`,
  )
  return rows.map(({ name, resource_type, allocated, entries }) => ({
    did,
    statusListName: name,
    resourceType: resource_type,
    allocated: Number(allocated),
    entries: Number(entries),
  }))
}

type FilledRow = Pick<FillRow, 'allocated' | 'entries'> & {
  name: StatusListLocation['statusListName']
  resource_type: string
}

/** Tells accounts that lists are nearly full, each list once, in the transaction that makes it so. */
export class NearlyFullLists {
  /** events that are kept elsewhere than in the database of the lists */
  private readonly later: ToldChange[] = []

  constructor(
    private readonly database: Database,
    private readonly connection: Connection,
  ) {}

  /** @returns `undefined` for a list of which nobody is told */
  teller(
    { nearlyFull }: Pick<WantedIndex, 'nearlyFull'>,
    list: LocatedKey,
  ): ((fill: ListFill) => void) | undefined {
    if (!nearlyFull) return undefined
    return (fill) => {
      const told = nearlyFull(list.location, fill)
      const within = tellerIn(this.database, told)
      if (within) within.tell(this.connection, told.event)
      else this.later.push(told)
      this.connection.send(sql`UPDATE "status_list_order" SET "told_nearly_full" = 1 WHERE ${ofList(list)}`)
    }
  }

  /** Once the transaction is committed. */
  async tellElsewhere(): Promise<void> {
    for (const { events, event } of this.later)
      await tellAccount(events, event, 'that a status list is nearly full')
  }
}
