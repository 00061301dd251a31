import assert from 'node:assert/strict'
import { auditedOf } from './behaviour/suite.js'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInAccountScope } from '@vidimus/core-types'
import { homeOf, Sql, sql, type Database } from '@vidimus/database'
import { accountRows as cheqdRows } from '../packages/ledger-cheqd/src/account-rows.js'
import { migrations as cheqdMigrations } from '../packages/ledger-cheqd/src/migrations.js'
import { withAccountRows } from '../packages/cli/src/installation.js'
import type { Client } from './support/client.js'
import { emptyInstallation, freshDatabase, PLACES } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { installationOf, runVidimus } from './support/service.js'
import { ServiceHere } from './support/service-here.js'

/** Rows that go with the account itself. */
const WITH_THE_ACCOUNT = ['account_quota', 'account_tally']
/** Tables with rows only while something is in progress. */
const UNDER_WAY = ['cheqd_message', 'cheqd_spend_day']

for (const place of PLACES) {
  describe(`deleting an account (${place})`, () => {
    let folder: string
    let url: string
    let service: ServiceHere
    let acme: Client
    let globex: Client
    let did: string

    const named = (name: string) => new Sql([`"${name}"`], [])
    const environment = () => ({ DATABASE_URL: url, KMS_SECRET_KEY: 'a5'.repeat(32) })
    const vidimus = (...args: string[]) =>
      runVidimus(args, { dataDirectory: folder, environment: environment() })

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-deletion-'))
      url = await emptyInstallation(place)
      const publicUrl = { VIDIMUS_PUBLIC_URL: 'https://status.example.com' }
      service = await ServiceHere.start({ url, listen: true, environment: publicUrl })
      acme = await service.clientOf('acme')
      globex = await service.clientOf('globex')
      did = await fill(acme, 'acme')
      await fillBehind(service, did)
      await fill(globex, 'globex')
    })
    after(async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('covers every table with account data', async () => {
      const cheqd = place === 'SQLite' ? [cheqdMigrations] : []
      const empty = await openDatabase(
        { dataDirectory: folder, databaseUrl: await freshDatabase(place) },
        cheqd,
      )
      const tables = await tablesWithAccounts(empty)
      const files = await installationOf({ dataDirectory: folder, environment: environment() })
      const covered = await withAccountRows(
        files.file,
        ({ accounts, rows }) =>
          Promise.resolve([
            ...rows,
            ...accounts.accountRows,
            ...cheqdRows({ database: empty, network: 'testnet' }),
          ]),
        files.environment,
      )
      await empty.lifecycle.stop()
      const known = [...covered.flatMap(({ tables: some }) => some), ...WITH_THE_ACCOUNT]
      assert.ok(tables.length > 20)
      assert.deepEqual(
        tables.filter((table) => !known.includes(table)),
        [],
      )
    })

    it('previews what would be deleted and which lists expire, without changing anything', async () => {
      const preview = await vidimus('account', 'delete', 'acme', '--dry-run')
      assert.match(preview, /nothing was changed/)
      assert.match(preview, /^2 +DIDs, with their aliases and services +erased$/m)
      assert.match(preview, /^2 +status lists that only this account can update +erased$/m)
      assert.match(preview, /versions of DID documents on testnet, which stay +made nameless$/m)
      assert.match(preview, new RegExp(`^${did} +renewed +2999-01-01T00:0`, 'm'))
      assert.doesNotMatch(preview, /plain +[0-9]/)
      await assert.rejects(vidimus('account', 'delete', 'acme'), /--dry-run shows .* --yes erases it/)
      assert.equal((await acme.get('/did/list')).status, 200)
    })

    it('stops its keys immediately when disabled, and no others', async () => {
      await vidimus('account', 'disable', 'acme')
      assert.equal((await acme.get('/did/list')).status, 401)
      assert.equal((await globex.get('/did/list')).status, 200)
      assert.match(await vidimus('account', 'list'), /^acme +\S+ +disabled/m)
      await vidimus('account', 'enable', 'acme')
      assert.equal((await acme.get('/did/list')).status, 200)
    })

    it('records that a key may do more', async () => {
      const { id } = await service.accounts.createApiKey({ account: 'globex', scopes: ['read'] })
      await vidimus('key', 'update', id, '--add-scope', 'dids')
      assert.deepEqual(await auditedOf(globex, id), ['api-key-updated', 'api-key-created'])
    })

    it('deletes what it had, keeps what it published, and affects no other account', async () => {
      const { id } = await service.accounts.get('acme')
      const { database } = service
      const tables = (await tablesWithAccounts(database)).filter((table) => !UNDER_WAY.includes(table))
      const before = await counts(database, tables, id)
      assert.deepEqual(
        tables.filter((table) => before[table] === 0),
        [],
        'the account had a row in each table',
      )
      const neighbour = (await service.accounts.get('globex')).id
      const others = await counts(database, tables, neighbour)
      assert.match(await vidimus('account', 'delete', 'acme', '--yes'), /is deleted/)
      const after = await counts(database, tables, id)
      const { audit_event: audited, ...erased } = after
      assert.ok(audited)
      assert.match(await vidimus('audit', '--event', 'account-deleted'), /account-deleted/)
      assert.deepEqual(
        Object.entries(erased).filter(([, rows]) => rows > 0),
        [],
      )
      const [told] = await database.query<{ n: number | string }>(sql`SELECT COUNT(*) AS n FROM audit_event
        WHERE account_id = ${id} AND (subject IS NOT NULL OR detail IS NOT NULL OR address IS NOT NULL)`)
      assert.equal(Number(told?.n), 0)
      assert.deepEqual(await counts(database, tables, neighbour), others)
      for (const [table, column] of [
        ['key', 'kid'],
        ['private-key', 'alias'],
        ['work_item', 'owner'],
      ] as const) {
        const left = await database.query(
          sql`SELECT 1 AS one FROM ${named(table)} WHERE ${named(column)} LIKE ${`%${id}%`}`,
        )
        assert.deepEqual(left, [], table)
      }
      assert.equal((await acme.get('/did/list')).status, 401)
      const resolved = await fetch(
        `${globex.url}/1.0/identifiers/${did}?resourceName=plain&resourceType=BitstringStatusListCredential`,
      )
      assert.equal(resolved.status, 200)
      assert.doesNotMatch(await vidimus('account', 'list'), /acme/)
      assert.equal((await globex.get('/did/list')).status, 200)
    })

    it('leaves no trace of it in the database file', async function () {
      if (place === 'PostgreSQL') this.skip()
      for (const name of ['agent.sqlite', 'agent.sqlite-wal']) {
        const bytes = await readFile(join(url.slice('sqlite:'.length), '..', name))
        for (const text of ['acme alias', 'acme-hook.example', 'acme key']) {
          assert.ok(!bytes.includes(text), `${text} in ${name}`)
        }
      }
    })
  })
}

/** Everything that a tenant creates. @returns a DID that publishes lists */
async function fill(client: Client, name: string): Promise<string> {
  const services = [{ idFragment: 'hub', type: 'LinkedDomains', serviceEndpoint: ['https://hub.example'] }]
  const { did } = (await client.ok('POST', '/did/create', {
    json: { network: 'testnet', service: services },
    headers: { 'idempotency-key': 'one' },
  })) as { did: string }
  await client.ok('POST', '/agent/didManagerSetAlias', { json: { did, alias: `${name} alias` } })
  await client.ok('POST', '/did/create', {
    json: {
      providerId: 'did:web',
      didDocument: { id: `did:web:status.example.com:${name}` },
      options: { keyType: 'Ed25519' },
    },
  })
  await client.ok('POST', '/key/import', {
    json: { privateKeyHex: '7'.repeat(64), alias: `${name} key` },
  })
  const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
  for (const body of [
    { statusListName: 'plain' },
    { statusListName: 'renewed', validUntil: '2999-01-01T00:00:00Z' },
  ]) {
    await client.ok('POST', '/credential-status/create/unencrypted', { query, json: { did, ...body } })
    await client.ok('POST', '/credential/issue', {
      json: {
        issuerDid: did,
        attributes: { a: 1 },
        subjectDid: did,
        credentialStatus: {
          statusListName: body.statusListName,
          statusPurpose: 'revocation',
          listType: 'BitstringStatusList',
        },
      },
    })
  }
  await client.ok('POST', '/did/rotate-key', { json: { did } })
  const rows = `list,index,action\n${did}?resourceName=none&resourceType=none,1,revoke\n`
  const job = { body: rows, headers: { 'content-type': 'text/csv' } }
  assert.equal((await client.post('/credential-status/jobs', job)).status, 202)
  const url = `https://${name}-hook.example/`
  await client.ok('POST', '/account/webhooks', { json: { url, types: ['acme:never'] } })
  return did
}

/** Rows that calls leave behind only where something goes wrong, or is bought. */
async function fillBehind({ accounts, database }: ServiceHere, did: string): Promise<void> {
  await accounts.update('acme', { dids: 5000 })
  const { id, name, createdAt } = await accounts.get('acme')
  const home = homeOf(id)
  const [time, day] = ['2026-01-01T00:00:00.000Z', '2026-01-01']
  await runInAccountScope({ id, name, createdAt }, () =>
    database.write(async (connection) => {
      const undone = {
        creation: 'undone',
        identifier: { did: 'did:x', keys: [] },
        keys: [],
        privateKeys: ['alias'],
      }
      await connection.run(sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts, payload)
        VALUES (${home}, 'did-creation', ${JSON.stringify(['did:x', id, 'undone'])}, ${id}, '9', 1, 1, 0, ${JSON.stringify(undone)})`)
      await connection.run(sql`INSERT INTO "private-key" (home, alias, type, "privateKeyHex")
        VALUES (${home}, ${`undone:undone:${id}:alias`}, 'Ed25519', '')`)
      await connection.run(sql`INSERT INTO status_list_payment (id, account_id, network, did, list_name, resource_type, address, amount,
          state, holder, begun_at, tx_hash, paid_at)
        VALUES ('payment', ${id}, 'testnet', ${did}, 'x', 'x', 'x', '1ncheq', 'settled', 'x', ${time}, 'x', ${time})`)
      await connection.run(
        sql`INSERT INTO status_list_fee_day (network, day, account_id, ncheq) VALUES ('testnet', ${day}, ${id}, 1)`,
      )
    }),
  )
}

async function tablesWithAccounts(database: Pick<Database, 'query' | 'dialect'>): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    database.dialect === 'sqlite'
      ? sql`SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
          WHERE m.type = 'table' AND c.name LIKE '%account_id%' ORDER BY m.name`
      : sql`SELECT table_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND column_name LIKE '%account_id%' ORDER BY table_name`,
  )
  return rows.map(({ name }) => name)
}

async function counts(
  database: Pick<Database, 'query'>,
  tables: readonly string[],
  account: string,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM ${new Sql([`"${table}"`], [])} WHERE account_id = ${account}`,
    )
    found[table] = Number(row?.n)
  }
  return found
}
