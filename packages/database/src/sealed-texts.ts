import {
  AgentError,
  isAgentError,
  type KeyEnvelope,
  type ResealedBatch,
  type SealedPlace,
  type SealedStore,
} from '@vidimus/core-types'
import type { Connection } from './connection.js'
import type { WriteOptions } from './one-home.js'
import { HEAD_LENGTH, sealedHead, isSealed } from './sealed-heads.js'
import { joinSql, Sql, sql, type SqlValue } from './sql.js'

/** The part of a database needed for sealed texts; a unit of work has it too. */
export interface SealedDatabase {
  query<Row>(statement: Sql): Promise<Row[]>
  write<T>(work: (connection: Connection) => Promise<T>, options?: WriteOptions): Promise<T>
  olderTransactionsEnd(): Promise<void>
}

/** A column of sealed texts. */
export interface SealedColumn<Row> {
  /** its content, for people: `private keys` */
  name: string
  table: Sql
  /** name of the column, with an index of `sealedHeadIndex`; texts without a dot are not sealed */
  sealed: Sql
  /** names of the columns that identify a row, with an index */
  id: readonly Sql[]
  /** the table with those that {@link SealedColumn.context} needs, joined so that no row is lost */
  joined: Sql
  /** the columns that `contextOf` reads, each with its name */
  context: Sql
  /** the owner of a text; `undefined` if the row has no owner any more */
  contextOf(row: Row): readonly string[] | undefined
  /** Which secret seals: a table with the columns `id` and `sealed`, and the row in it. */
  check: { table: Sql; id: string; text: string; context: readonly string[] }
}

/** Everything with this head sorts before it. */
const LAST_CHARACTER = '\u{10FFFF}'

const SEVERAL_ROWS = { spans: 'rows are sealed anew in portions, each row by itself' }

type RowId = readonly Exclude<SqlValue, Buffer | null>[]

type FoundRow<Row> = Row & { sealed_text: string } & Record<`row_id${number}`, RowId[number]>

/** Sealed texts of one column, and the row that states which secret seals new ones. */
export class SealedTexts<Row> implements SealedStore {
  readonly name: string
  readonly places: readonly SealedPlace[]
  /** the secret that seals, as a transaction has read it */
  private readonly known = new WeakMap<Connection['shared'], string>()

  constructor(
    private readonly database: SealedDatabase,
    readonly envelope: KeyEnvelope,
    private readonly column: SealedColumn<Row>,
  ) {
    if (envelope.headLength > HEAD_LENGTH)
      throw new TypeError(`the head of a sealed text has at most ${HEAD_LENGTH} characters`)
    this.name = column.name
    this.places = [
      { table: unquoted(column.table), column: unquoted(column.sealed) },
      { table: unquoted(column.check.table), column: 'sealed' },
    ]
  }

  /**
   * Checks that the envelope has every secret that texts are sealed with. If nothing is sealed yet, it prepares the
   * envelope and records which secret seals.
   *
   * @throws AgentError `wrong_secret`
   */
  async verify(): Promise<void> {
    const stored = await this.sealedWith()
    const noted = await this.notedKeyId(this.database)
    this.mustKnow(noted === undefined ? stored : [noted, ...stored])
    if (noted !== undefined) return
    await this.envelope.prepare()
    // Another process may be first, with another secret.
    this.mustKnow([await this.database.write((connection) => this.note(connection, stored[0]))])
  }

  /**
   * Seals a text for the transaction that stores it.
   *
   * @throws AgentError `wrong_secret` if the secret was replaced by one that this process does not have
   */
  async seal(connection: Connection, plaintext: string, context: readonly string[]): Promise<string> {
    const noted =
      this.known.get(connection.shared) ??
      (await this.notedKeyId(connection)) ??
      (await this.note(connection))
    this.known.set(connection.shared, noted)
    if (!this.envelope.isInUse(noted)) {
      throw new AgentError(
        'wrong_secret',
        `the encryption secret was replaced: ${this.name} are now sealed with "${noted}", which this process does ` +
          'not have; restart it with the new secret',
      )
    }
    return this.envelope.seal(plaintext, context, noted)
  }

  /** Steps from one secret to the next over the index: there are few, however many texts. */
  private async sealedWith(): Promise<string[]> {
    const { table, sealed } = this.column
    const { headLength } = this.envelope
    const keyIds: string[] = []
    for (let after = ''; ;) {
      const [row] = await this.database.query<{ head: string }>(
        sql`SELECT ${sealedHead(sealed)} AS "head" FROM ${table}
          WHERE ${isSealed(sealed)} AND ${sealedHead(sealed)} > ${after} ORDER BY ${sealedHead(sealed)} LIMIT 1`,
      )
      if (!row) return keyIds
      const head = row.head.slice(0, headLength)
      keyIds.push(this.keyIdOf(head))
      after = `${head}${LAST_CHARACTER}`
    }
  }

  private keyIdOf(head: string): string {
    const keyId = this.envelope.keyIdOf(head)
    if (keyId === undefined) throw this.unknownForm()
    return keyId
  }

  async countSealed(): Promise<ReadonlyMap<string, number>> {
    const { table, sealed } = this.column
    const rows = await this.database.query<{ head: string; texts: number | string }>(
      sql`SELECT substr(${sealed}, 1, ${this.envelope.headLength}) AS "head", COUNT(*) AS "texts"
        FROM ${table} WHERE ${isSealed(sealed)} GROUP BY "head"`,
    )
    const counts = new Map<string, number>()
    for (const { head, texts } of rows) {
      const keyId = this.keyIdOf(head)
      counts.set(keyId, (counts.get(keyId) ?? 0) + Number(texts))
    }
    return counts
  }

  async sealWith(keyId: string): Promise<void> {
    const { table, id } = this.column.check
    await this.database.write(async (connection) => {
      if ((await this.notedKeyId(connection)) === undefined) await this.note(connection, keyId)
      else {
        await connection.run(
          sql`UPDATE ${table} SET "sealed" = ${this.sealedCheck(keyId)} WHERE "id" = ${id}`,
        )
      }
      this.known.delete(connection.shared)
    })
    // A transaction that read the record before may still store what it has sealed with the old secret.
    await this.database.olderTransactionsEnd()
  }

  async *reseal(keyId: string, most: number): AsyncGenerator<ResealedBatch> {
    // The beginning of every text of this secret.
    const head = this.envelope.seal('', [], keyId).slice(0, this.envelope.headLength)
    let after: RowId | undefined
    for (;;) {
      const rows = await this.rowsAfter(after, head, most)
      const last = rows.at(-1)
      if (!last) return
      yield await this.resealRows(rows, keyId)
      after = this.idOf(last)
    }
  }

  private rowsAfter(after: RowId | undefined, head: string, most: number) {
    const { table, context, joined } = this.column
    const ids = this.column.id.map((column) => sql`${table}.${column}`)
    const [id, sealed] = [joinSql(ids), sql`${table}.${this.column.sealed}`]
    const further = after === undefined ? sql`` : sql`AND (${id}) > (${joinSql(after)})`
    const named = joinSql(ids.map((column, n) => sql`${column} AS ${new Sql([`"row_id${n}"`], [])}`))
    return this.database.query<FoundRow<Row>>(
      sql`SELECT ${named}, ${sealed} AS "sealed_text", ${context} FROM ${joined}
        WHERE ${isSealed(sealed)} AND substr(${sealed}, 1, ${head.length}) <> ${head} ${further}
        ORDER BY ${id} LIMIT ${most}`,
    )
  }

  private async resealRows(rows: readonly FoundRow<Row>[], keyId: string): Promise<ResealedBatch> {
    const unreadable: string[] = []
    const texts: { id: RowId; from: string; to: string }[] = []
    for (const row of rows) {
      const context = this.column.contextOf(row)
      const to = context && this.resealed(row.sealed_text, context, keyId)
      if (to !== undefined) texts.push({ id: this.idOf(row), from: row.sealed_text, to })
      else unreadable.push(context?.join(' ') ?? this.idOf(row).join(' '))
    }
    const { table, id, sealed } = this.column
    const resealed = await this.database.write(async (connection) => {
      let changed = 0
      for (const { id: rowId, from, to } of texts) {
        // Only if it is still the same: a row may have been deleted or replaced meanwhile.
        changed += await connection.run(
          sql`UPDATE ${table} SET ${sealed} = ${to}
            WHERE ${joinSql(
              id.map((one, n) => sql`${one} = ${rowId[n] ?? ''}`),
              ' AND ',
            )} AND ${sealed} = ${from}`,
        )
      }
      return changed
    }, SEVERAL_ROWS)
    return { resealed, unreadable }
  }

  private idOf(row: FoundRow<Row>): RowId {
    return this.column.id.map((_, n) => row[`row_id${n}`] ?? '')
  }

  private resealed(sealed: string, context: readonly string[], keyId: string): string | undefined {
    try {
      return this.envelope.seal(this.envelope.open(sealed, context), context, keyId)
    } catch (error) {
      if (isAgentError(error) && error.code === 'wrong_secret') return undefined
      throw error
    }
  }

  private async notedKeyId(reader: Pick<Connection, 'query'>): Promise<string | undefined> {
    const { table, id } = this.column.check
    const [row] = await reader.query<{ sealed: string }>(
      sql`SELECT "sealed" FROM ${table} WHERE "id" = ${id}`,
    )
    if (!row) return undefined
    const keyId = this.keyIdOf(row.sealed)
    // An id alone proves nothing: a writer of the database could name a secret that they know.
    if (this.envelope.knows(keyId)) this.mustBeNote(row.sealed)
    return keyId
  }

  private mustBeNote(sealed: string): void {
    const { text, context } = this.column.check
    if (this.envelope.open(sealed, context) === text) return
    throw new AgentError('wrong_secret', `the note of which secret seals ${this.name} was changed`)
  }

  /** @returns the id of the recorded secret, which may be another one if another process was first */
  private async note(connection: Connection, keyId = this.envelope.keyId): Promise<string> {
    const { table, id } = this.column.check
    await connection.run(
      sql`INSERT INTO ${table} ("id", "sealed") VALUES (${id}, ${this.sealedCheck(keyId)})
        ON CONFLICT ("id") DO NOTHING`,
    )
    return (await this.notedKeyId(connection)) ?? keyId
  }

  private sealedCheck(keyId: string): string {
    return this.envelope.seal(this.column.check.text, this.column.check.context, keyId)
  }

  private mustKnow(keyIds: readonly string[]): void {
    const unknown = [...new Set(keyIds)].filter((keyId) => !this.envelope.knows(keyId))
    if (unknown.length === 0) return
    const { origin, keyIds: known } = this.envelope
    const sealedWith = `${this.name} in the database are sealed with the secret ${quoted(unknown)}`
    const message =
      known.length === 0
        ? `the encryption secret is missing: ${sealedWith}, but there is no secret in ${origin}, and none was created. ` +
          'Put the secret that belongs to this database back there, or set KMS_SECRET_KEY to it'
        : `the encryption secret does not fit this database: ${sealedWith}, but ${origin} holds ${quoted(known)}. ` +
          'Start with the secret that belongs to this database: KMS_SECRET_KEY, or its file in the data directory'
    throw new AgentError('wrong_secret', message)
  }

  private unknownForm() {
    return new AgentError('wrong_secret', `${this.name} in the database are encrypted in an unknown format`)
  }
}

const unquoted = (name: Sql): string => name.text('sqlite').replace(/^"(.*)"$/, '$1')

const quoted = (keyIds: readonly string[]) => keyIds.map((keyId) => `"${keyId}"`).join(' and ')
