import {
  OverdueWorkError,
  handOverWithin,
  type IdempotentChanges,
  type KeyEnvelope,
  type OpenTransaction,
  type WithVersion,
} from '@vidimus/core-types'
import { homeOf, SealedTexts, sql, type Connection, type Database } from '@vidimus/database'
import { lockRecord, type HeldRecord } from './idempotency-rows.js'

interface ChangeRow {
  account_id: string
  mark: string
}

/** What requests have changed, recorded with the change: a run after a crash tells it, and changes nothing. */
export class RecordedChanges {
  readonly texts: SealedTexts<ChangeRow>

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
  ) {
    this.texts = new SealedTexts(database, envelope, COLUMN)
  }

  /** Those of a run. */
  of(held: HeldRecord): IdempotentChanges {
    return {
      ...handOverWithin(this.database, (transaction) => lockRecord(transaction as Connection, held)),
      database: this.database,
      find: (mark) => this.find(held, mark),
      record: (mark, describe) => {
        const write: WithVersion['made'] = async (transaction, version) =>
          this.write(transaction as Connection, held, mark, describe(version), record)
        const record: WithVersion = { database: this.database, made: write, handedOver: write }
        return record
      },
    }
  }

  private async find({ account }: HeldRecord, mark: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ change: string | null }>(
      sql`SELECT change FROM idempotent_creation WHERE home = ${homeOf(account)} AND mark = ${mark}`,
    )
    const sealed = row?.change ?? undefined
    return sealed === undefined ? undefined : this.envelope.open(sealed, changeContext(account, mark))
  }

  private async write(
    connection: Connection & OpenTransaction,
    held: HeldRecord,
    mark: string,
    text: string,
    record: WithVersion,
  ): Promise<void> {
    const { account, id } = held
    if (!(await lockRecord(connection, held))) throw new OverdueWorkError(record)
    const sealed = await this.texts.seal(connection, text, changeContext(account, mark))
    await connection.run(
      sql`INSERT INTO idempotent_creation (home, mark, record_id, account_id, change)
        VALUES (${homeOf(account)}, ${mark}, ${id}, ${account}, ${sealed})
        ON CONFLICT (home, mark) DO UPDATE SET change = excluded.change`,
    )
  }
}

const changeContext = (account: string, mark: string) => ['change of a request', account, mark]

const COLUMN = {
  name: 'changes of requests',
  table: sql`idempotent_creation`,
  sealed: sql`change`,
  id: [sql`home`, sql`mark`],
  joined: sql`idempotent_creation`,
  context: sql`idempotent_creation.account_id, idempotent_creation.mark`,
  contextOf: ({ account_id: account, mark }: ChangeRow) => changeContext(account, mark),
  check: {
    table: sql`secret_check`,
    id: 'changes',
    text: 'the secret fits',
    context: ['secret check', 'changes'],
  },
}
