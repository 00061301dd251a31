import { randomBytes } from 'node:crypto'
import type { KeyEnvelope, StatusListKeys, StatusListLocation } from '@vidimus/core-types'
import { SealedTexts, sql, type Database } from '@vidimus/database'
import { findOrCreateList, isList } from './list-row.js'
import { sealedListColumn, type OwnerRow } from './sealed-list-column.js'

const KEY_BYTES = 32

/** Keys of encrypted lists, sealed at rest. A key never changes, as old versions need it as well. */
export class ListKeys implements StatusListKeys {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    private readonly clock: () => Date,
  ) {
    this.texts = new SealedTexts(
      database,
      envelope,
      sealedListColumn('list-keys', 'keys of status lists', sql`"status_list_key"`, listKeyContext),
    )
  }

  async find(list: StatusListLocation): Promise<Uint8Array | undefined> {
    const [row] = await this.database.query<{ sealed_key: string }>(
      sql`SELECT "k"."sealed_key" FROM "status_list" "l"
        JOIN "status_list_key" "k" ON "k"."home" = "l"."home" AND "k"."list_id" = "l"."id" WHERE ${isList(list)}`,
    )
    return row && new Uint8Array(Buffer.from(this.envelope.open(row.sealed_key, listKeyContext(list)), 'hex'))
  }

  async findOrCreate(list: StatusListLocation): Promise<Uint8Array> {
    return (await this.find(list)) ?? (await this.create(list))
  }

  private async create(list: StatusListLocation): Promise<Uint8Array> {
    const key = randomBytes(KEY_BYTES).toString('hex')
    const createdAt = this.clock().toISOString()
    await this.database.write(async (connection) => {
      const sealed = await this.texts.seal(connection, key, listKeyContext(list))
      const { home, id } = await findOrCreateList(connection, list)
      await connection.run(sql`INSERT INTO "status_list_key" ("home", "list_id", "sealed_key", "created_at")
        VALUES (${home}, ${id}, ${sealed}, ${createdAt}) ON CONFLICT ("home", "list_id") DO NOTHING`)
    })
    // A concurrent caller or process may have stored another key first.
    const found = await this.find(list)
    if (!found) throw new Error('the key of a status list vanished after it was made')
    return found
  }
}

const listKeyContext = ({ did, statusListName, resourceType }: StatusListLocation) => [
  'key of a status list',
  did,
  statusListName,
  resourceType,
]
