import {
  compareTextByBytes,
  homeOfText,
  HomesMigration,
  VACUUM_OFTEN,
  type TableWithoutHomes,
} from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

const TO_DID = { columns: ['account_id', 'did'], table: 'account_did', to: ['account_id', 'did'] }
const TO_KEY = { columns: ['account_id', 'kid'], table: 'account_key', to: ['account_id', 'kid'] }
const CASCADE = { onDelete: 'CASCADE' } as const

const withHome = (reference: typeof TO_DID) => ({
  columns: ['home', ...reference.columns],
  table: reference.table,
  to: ['home', ...reference.to],
  ...CASCADE,
})

/** Rows of Veramo's: the account or DID that has them. Those of nobody have the home of their own name. */
const OF_VERAMO = [
  { table: 'key', id: 'kid', holders: [{ of: 'account_key', named: 'stored_kid', holder: 'account_id' }] },
  {
    table: 'private-key',
    id: 'alias',
    holders: [
      { of: 'account_private_key', named: 'stored_alias', holder: 'account_id' },
      { of: 'undone_private_key', named: 'stored_alias', holder: 'account_id' },
    ],
  },
  { table: 'service', id: 'id', holders: [{ of: 'account_service', named: 'stored_id', holder: 'did' }] },
].map(({ table, id, holders }) => {
  const found = holders.map(
    ({ of, named, holder }) =>
      `(SELECT "o"."${holder}" FROM "${of}" "o" WHERE "o"."${named}" = "${table}"."${id}")`,
  )
  const holder = `COALESCE(${[...found, `"${table}"."${id}"`].join(', ')})`
  return { table, id, holder }
})

/**
 * What accounts hold has a home: DIDs and services that of the DID; keys, their links with DIDs, and the marks of requests
 * that of the account. In the keys of tables that are listed by account it comes last.
 *
 * DIDs have no rows in Veramo's table any more, except for adopted ones: other rows of Veramo may refer to those.
 */
export class AddHomesToHoldings1798200000840 extends HomesMigration {
  readonly name = 'AddHomesToHoldings1798200000840'

  protected readonly texts = [
    'SELECT "id" AS "text" FROM "account"',
    'SELECT "did" AS "text" FROM "account_did"',
    'SELECT "did" AS "text" FROM "web_did"',
    ...OF_VERAMO.map(({ table, holder }) => `SELECT ${holder} AS "text" FROM "${table}"`),
  ]

  protected readonly tables: readonly TableWithoutHomes[] = [
    {
      table: 'account_did',
      home: homeOfText('"did"'),
      keys: [
        ['account_id', 'did', 'home'],
        ['home', 'stored_did'],
      ],
      formerKeys: [['account_id', 'did'], ['stored_did'], ['account_id', 'alias']],
    },
    ofAccount('account_key', [['account_id', 'kid'], ['stored_kid'], ['account_id', 'alias']]),
    {
      ...ofAccount('account_did_key', [['account_id', 'did', 'kid']]),
      references: [withHome(TO_KEY)],
      formerReferences: [
        { ...TO_DID, ...CASCADE },
        { ...TO_KEY, ...CASCADE },
      ],
    },
    {
      table: 'account_service',
      home: homeOfText('"did"'),
      keys: [
        ['home', 'account_id', 'did', 'id'],
        ['home', 'stored_id'],
      ],
      formerKeys: [['account_id', 'did', 'id'], ['stored_id']],
      references: [withHome(TO_DID)],
      formerReferences: [{ ...TO_DID, ...CASCADE }],
    },
    {
      table: 'did_creation',
      home: homeOfText('"did"'),
      keys: [['account_id', 'did', 'home']],
      formerKeys: [['account_id', 'did']],
      references: [withHome(TO_DID)],
      formerReferences: [{ ...TO_DID, ...CASCADE }],
    },
    { table: 'web_did', home: homeOfText('"did"'), keys: [['home', 'did']], formerKeys: [['did']] },
    ofAccount('account_private_key', [['account_id', 'alias'], ['stored_alias']]),
    ofAccount('account_key_network', [['account_id', 'public_key', 'network']]),
    ofAccount('undone_did_creation', [['creation']]),
    {
      ...ofAccount('undone_private_key', [['stored_alias']]),
      references: [
        {
          columns: ['home', 'creation'],
          table: 'undone_did_creation',
          to: ['home', 'creation'],
          ...CASCADE,
        },
      ],
      formerReferences: [
        { columns: ['creation'], table: 'undone_did_creation', to: ['creation'], ...CASCADE },
      ],
    },
    {
      table: 'idempotent_creation',
      home: homeOfText(
        '(SELECT "r"."account_id" FROM "idempotency_record" "r" WHERE "r"."id" = "record_id")',
      ),
      keys: [['home', 'mark']],
      formerKeys: [['mark']],
      references: [withHome(TO_KEY)],
      formerReferences: [
        { ...TO_DID, ...CASCADE },
        { ...TO_KEY, ...CASCADE },
        { columns: ['record_id'], table: 'idempotency_record', to: ['id'], ...CASCADE },
      ],
      unreferenced: ['idempotency_record'],
    },
    ...OF_VERAMO.map(({ table, id, holder }) => ({
      table,
      home: homeOfText(holder),
      keys: [['home', id]],
      formerKeys: [[id]],
    })),
  ]

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account_did ADD COLUMN controller_key_id TEXT')
    await queryRunner.query(`UPDATE account_did SET controller_key_id =
      (SELECT i."controllerKeyId" FROM identifier i WHERE i.did = account_did.stored_did)`)
    await queryRunner.query(`DELETE FROM identifier WHERE did IN
      (SELECT stored_did FROM account_did WHERE stored_did <> did)`)
    await compareTextByBytes(queryRunner, ['account_did'])
    await super.up(queryRunner)
    for (const name of Object.keys(INDICES)) await queryRunner.query(`DROP INDEX ${name}`)
    for (const statement of indices('home, account_id')) await queryRunner.query(statement)
    await queryRunner.query(
      'CREATE INDEX account_did_by_alias ON account_did (account_id, alias) WHERE alias IS NOT NULL',
    )
  }

  /** A constraint includes one home: those of an account's DIDs differ. */
  protected override async withHomes(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(`CREATE TABLE account_did_alias (
      home INTEGER NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id),
      alias TEXT NOT NULL,
      did TEXT NOT NULL,
      PRIMARY KEY (home, account_id, alias)
    ) ${storage}`)
    await compareTextByBytes(queryRunner, ['account_did_alias'])
    await queryRunner.query(`INSERT INTO account_did_alias (home, account_id, alias, did)
      SELECT ${homeOfText('d.account_id')}, d.account_id, d.alias, d.did FROM account_did d WHERE d.alias <> ''`)
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDICES)) await queryRunner.query(`DROP INDEX ${name}`)
    await queryRunner.query('DROP INDEX account_did_by_alias')
    await queryRunner.query('DROP TABLE account_did_alias')
    await super.down(queryRunner)
    for (const statement of indices('account_id')) await queryRunner.query(statement)
    await queryRunner.query(`INSERT INTO identifier (did, provider, "saveDate", "updateDate", "controllerKeyId")
      SELECT stored_did, provider, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, controller_key_id FROM account_did
      WHERE pending = 0 AND stored_did <> did`)
    await queryRunner.query('ALTER TABLE account_did DROP COLUMN controller_key_id')
  }
}

const INDICES: Record<string, (account: string) => string> = {
  account_did_key_kid: (account) => `account_did_key (${account}, kid)`,
  account_key_kms: (account) => `account_key (${account}, kms, kid)`,
  account_key_created: (account) => `account_key (${account}, created_at, kid)`,
}

/** @param account - the columns that identify an account */
const indices = (account: string): string[] =>
  Object.entries(INDICES).map(([name, columns]) => `CREATE INDEX ${name} ON ${columns(account)}`)

/** A table whose rows have the home of the account. */
const ofAccount = (table: string, keys: readonly string[][]): TableWithoutHomes => ({
  table,
  home: homeOfText('"account_id"'),
  keys: keys.map((key) => ['home', ...key]),
  formerKeys: keys,
})
