import { join } from 'node:path'
import { sql, Sql, type Database } from '@vidimus/database'
import { scanning } from '../../test/support/growing-scans.js'
import {
  METHODS,
  OPERATIONS as TABLE,
  type Belongings,
  type Own,
} from '../../test/support/isolation-table.js'
import { recordedIn } from '../../test/support/recorded-statements.js'
import { literal, type PlanNode } from '../../test/support/statement-plans.js'
import { answered } from './compare.js'
import type { Installation } from './installation.js'
import { look, type Known } from './known.js'
import { OPERATIONS } from './operations.js'

/** Fewer rows are read at once by right. */
const LARGE = 10_000

/**
 * Sends a request of every operation to a full database, and looks at the plans of all statements that this leads to.
 *
 * @returns those that read a table that grows from one end to the other
 */
export async function scansOnFull(installation: Installation): Promise<{ looked: number; scans: string[] }> {
  const known = await look(installation)
  const file = join(installation.folder, 'statements')
  await installation.start(file)
  await requestEverything(installation.service.url, known)
  await installation.stop()
  const statements = await recordedIn(file)
  const scans = await scanning(
    { dataDirectory: installation.folder, databaseUrl: installation.databaseUrl },
    statements,
  )
  if (installation.dialect === 'postgres') {
    scans.push(...(await installation.withDatabase((database) => scansAsPlanned(database, statements))))
  }
  return { looked: statements.length, scans }
}

async function requestEverything(url: string, known: Known): Promise<void> {
  let n = 1_000_000
  for (const { call } of Object.values(OPERATIONS).flat())
    await answered(url, known.apiKey, call(known, (n += 1)))
  const theirs = belongings(known)
  const [did = ''] = known.dids
  const own: Own = { did, credential: theirs.credential, presentation: theirs.credential, jwe: '' }
  const named = [
    ...Object.entries(TABLE).map(([operation, row]) => ({ operation, row })),
    ...Object.entries(METHODS).map(([method, row]) => ({ operation: `POST /agent/${method}`, row })),
  ]
  for (const { operation, row } of named) {
    const { published, own: ofOwn, shared, foreign = {}, unheld = {} } = row
    const all = [published, ofOwn, shared, ...Object.values(foreign), ...Object.values(unheld)]
    for (const callWith of all.filter((each) => each !== undefined)) {
      const [method = '', template = ''] = operation.split(' ')
      const { path = {}, query = {}, json } = callWith(theirs, own)
      const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '')
      // What is refused was looked at as well.
      await answered(url, known.apiKey, {
        ...{ method: method as 'GET' | 'POST', path: filled },
        query: query as Record<string, string>,
        ...(method !== 'GET' && { json: json ?? {} }),
      }).catch(() => undefined)
    }
  }
}

/** What the account has, where the table has what belongs to another. */
function belongings({ dids, kids, list, versions, documents }: Known): Belongings {
  const [, did = ''] = dids
  const [, kid = ''] = kids
  return {
    ...{ did, keyDid: did, kid, alias: 'nothing', service: `${did}#s` },
    ...{ statusListName: list.statusListName, encryptedListName: 'none', seriesName: 'none' },
    credential: 'e30.e30.AA',
    credentialId: 'urn:uuid:none',
    ...{ resourceId: versions.oldest.id, versionId: documents.oldest.id },
    ...{
      apiKeyId: versions.oldest.id,
      webhookId: versions.oldest.id,
      jobId: 'none',
      eventId: '0000000000000001',
      workId: 'none',
    },
  }
}

/** With the statistics of so many rows, PostgreSQL chooses by itself. */
async function scansAsPlanned(database: Database, statements: readonly Sql[]): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > ${LARGE}`,
  )
  const large = new Set(rows.map(({ name }) => name))
  const found: string[] = []
  for (const statement of statements) {
    const text = statement.fragments.reduce((all, part, n) => all + literal(statement.values[n - 1]) + part)
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text)) continue
    const [row] = await database.query<{ 'QUERY PLAN': string }>(
      new Sql([`EXPLAIN (FORMAT JSON) ${text}`], []),
    )
    const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: Scan }]
    found.push(
      ...scansIn(Plan)
        .filter((name) => large.has(name))
        .map((name) => `${name}: ${statement.text('sqlite')}`),
    )
  }
  return found
}

type Scan = PlanNode & { 'Node Type': string; Plans?: Scan[] }

const scansIn = (node: Scan): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
  ...(node.Plans ?? []).flatMap(scansIn),
]
