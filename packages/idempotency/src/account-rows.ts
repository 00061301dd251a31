import type { AccountRows } from '@vidimus/core-types'
import { type Database, inAccount, sql, TableOfAccounts } from '@vidimus/database'
import { forgetCreationsOf } from './creation-marks.js'

/** Records in one transaction, so that no caller waits long for it. */
const TOGETHER = 500

/** This package's rows of accounts. */
export const accountRows = (database: Database): AccountRows[] => [new RecordsOfAccounts(database)]

/** The marks of creations, which are not looked for by account, are deleted with the record of their request. */
class RecordsOfAccounts extends TableOfAccounts {
  constructor(private readonly records: Database) {
    super(records, {
      name: 'kept answers',
      table: 'idempotency_record',
      id: ['home', 'id'],
      hasHomeOfAccount: true,
      with: ['idempotent_creation'],
    })
  }

  override async erase(account: string): Promise<void> {
    for (let last = ''; ;) {
      const rows = await this.records.query<{ id: string }>(
        sql`SELECT id FROM idempotency_record WHERE ${inAccount(account)} AND id > ${last}
          ORDER BY id LIMIT ${TOGETHER}`,
      )
      const end = rows.at(-1)
      if (!end) break
      last = end.id
      await this.records.write((connection) =>
        forgetCreationsOf(
          connection,
          rows.map(({ id }) => ({ id, account_id: account })),
        ),
      )
    }
    await super.erase(account)
  }
}
