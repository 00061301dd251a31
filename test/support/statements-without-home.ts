import { sql, type Sql } from '@vidimus/database'
import { openDatabase } from './open-database.js'

/** Statements on tables whose rows have a home that name none, and why they may. */
export const WITHOUT_HOME: readonly (readonly [statement: RegExp, why: string])[] = [
  [/"?home_version"?/, 'its rows are the homes'],
  [/^SELECT substr\(| NOT LIKE '%\.%'$/, 'which secret seals: at start, and when it is replaced'],
  [
    /^SELECT "url" FROM "status_list_address" WHERE "url" IS NOT NULL /,
    'the addresses of all lists, or of all of a publisher',
  ],
  [
    /^SELECT .*SUM\(n\) AS n FROM account_tally WHERE account_id = \?|^DELETE FROM account_tally WHERE account_id = \?$/,
    'what an account has is counted in each home: added up once a second, near a limit, and for its usage',
  ],
  [
    /^SELECT .* "credential_entry" .*"account_id" = \?/,
    'a credential is registered with its lists, whichever they are: looking for one by its id or its signer reads all homes',
  ],
  [
    /^(SELECT|UPDATE "audit_event" SET subject = NULL) .*audit_event/,
    'the audit trail is read in the order of all homes: that of an account, or of the installation',
  ],
  [
    /^SELECT .*\b(account_event|webhook_delivery)\b/,
    'events get their positions, and are listed and delivered in their order, whichever home they are in: through indices of account, webhook and time',
  ],
  [
    /^(UPDATE|DELETE FROM) webhook_delivery\b.* webhook_id = \?/,
    'all that waits for a webhook is held up, given up or repeated together',
  ],
  [
    /FROM account_did (d )?WHERE (d\.)?account_id = \?/,
    'DIDs of an account, in an order of all homes: through an index that begins with the account',
  ],
  [
    /^SELECT .* (WHERE|AND) \S+ <=? \?.* ORDER BY .* LIMIT \?$/,
    'background work: what is due next in all homes, through an index of its time; the change that follows names one',
  ],
  [
    /^(SELECT CAST\(\? AS TEXT\) AS kind, MIN\(due_at\)|SELECT DISTINCT holder, kind FROM work_item|SELECT COUNT\(\*\) AS "?n"? FROM work_item WHERE kind (= \?|IN \(\?, \?\)) AND (due_at < \?|\(holder IS NOT NULL OR attempts > 0\))$|UPDATE work_item .* AND holder = \?$)/,
    'background work: when something of a kind is due in any home, and which processes hold work',
  ],
  [
    /^(SELECT COUNT\(\*\) AS n|DELETE) FROM work_item WHERE kind = \? AND (owner = \?|\(home, key\) IN)/,
    'the work of a deleted account, in all homes, through the index that begins with the kind',
  ],
  [
    /FROM work_item w WHERE w\.owner = \?/,
    'what waits for an owner, in whichever home its cause is, through an index',
  ],
  [
    /^(SELECT COUNT\(\*\) AS n|SELECT "home", |UPDATE \S+ SET account_id = '') .*account_id = \?/,
    'what a deleted account has written, in all homes: row by row, and again if it was interrupted',
  ],
]

/** Those of the statements that read or write rows with a home without naming it, and no reason names. */
export function statementsWithoutHome(statements: Iterable<Sql>, withHome: ReadonlySet<string>): string[] {
  const without = [...statements].map(plain).filter((text) => homesNamed(text) < tablesNamed(text, withHome))
  return without.filter((text) => !WITHOUT_HOME.some(([statement]) => statement.test(text)))
}

/** Names of the tables with a home. */
export async function tablesWithHome(
  place: Parameters<typeof openDatabase>[0],
): Promise<ReadonlySet<string>> {
  const database = await openDatabase(place)
  try {
    const rows = await database.query<{ name: string }>(
      database.dialect === 'sqlite'
        ? sql`SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE c.name = 'home'`
        : sql`SELECT table_name AS name FROM information_schema.columns
            WHERE table_schema = current_schema() AND column_name = 'home'`,
    )
    return new Set(rows.map(({ name }) => name))
  } finally {
    await database.lifecycle.stop()
  }
}

const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE) "?([\w-]+)"?/g
const tablesNamed = (text: string, withHome: ReadonlySet<string>): number =>
  [...text.matchAll(TABLE)].filter(([, name = '']) => withHome.has(name)).length

const COMPARED = /\bhome"? (?:=|IN)|\("home", [^)]*\) (?:=|IN|>)/g
const INSERTED = /^INSERT INTO \S+ \([^)]*\bhome\b/
const homesNamed = (text: string): number =>
  [...text.matchAll(COMPARED)].length + (INSERTED.test(text) ? 1 : 0)

const plain = ({ fragments }: Sql): string => fragments.join('?').trim().replaceAll(/\s+/g, ' ')
