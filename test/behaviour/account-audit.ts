import assert from 'node:assert/strict'
import type { AuditedEvent } from '@vidimus/core-types'
import type { Client } from '../support/client.js'
import { assertRefused } from '../support/refused.js'
import { until } from '../support/until.js'
import { auditedOf, type Setup } from './suite.js'

const AUDIT = '/account/audit'
const KEYS = '/account/api-keys'

interface Page {
  entries: AuditedEvent[]
  next?: string
}

/** What an account reads of its own audit trail. */
export function accountAuditSuite({ client, stranger }: Setup): void {
  const page = (query: Record<string, string> = {}, who: Client = client()) =>
    who.ok('GET', AUDIT, { query }) as Promise<Page>
  const makeKey = async (json: Record<string, unknown> = {}) =>
    (await client().ok('POST', KEYS, { json })) as { id: string; apiKey: string }
  const eventsOf = ({ entries }: Page) => entries.map(({ event }) => event)
  let key: { id: string; apiKey: string }
  let own: string
  before(async () => {
    const { apiKeys } = (await client().ok('GET', KEYS)) as { apiKeys: { id: string; current: boolean }[] }
    own = apiKeys.find(({ current }) => current)?.id ?? ''
    key = await makeKey({ scopes: ['read', 'api-keys'] })
    await client().ok('DELETE', `${KEYS}/${key.id}`)
  })

  it('tells who did what and when, newest first', async () => {
    const { entries } = await page({ subject: key.id })
    assert.deepEqual(
      entries.map(({ event, outcome, apiKeyId, occurrences }) => [event, outcome, apiKeyId, occurrences]),
      [
        ['api-key-revoked', 'done', own, 1],
        ['api-key-created', 'done', own, 1],
      ],
    )
    const [{ time, address, requestId }] = entries as [AuditedEvent]
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 600_000)
    assert.ok(address && requestId)
  })

  it('finds by event, outcome, API key and time', async () => {
    const [revoked, created] = (await page({ subject: key.id })).entries as [AuditedEvent, AuditedEvent]
    const found = async (query: Record<string, string>) => eventsOf(await page({ subject: key.id, ...query }))
    assert.deepEqual(await found({ event: 'api-key-created' }), ['api-key-created'])
    assert.deepEqual(await found({ outcome: 'refused' }), [])
    assert.deepEqual(await found({ apiKeyId: key.id }), [])
    assert.equal((await found({ apiKeyId: own })).length, 2)
    assert.deepEqual((await found({ since: revoked.time })).at(0), 'api-key-revoked')
    assert.deepEqual(await found({ until: created.time }), [])
    const later = new Date(Date.parse(revoked.time) + 1).toISOString()
    assert.equal((await found({ until: later })).length, 2)
    assert.deepEqual(await found({ since: later }), [])
  })

  it('exports what fits as CSV', async () => {
    const exported = async (query: Record<string, string>) => {
      const answer = await client().get(AUDIT, { query, headers: { accept: 'text/csv' } })
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; filename="audit-trail.csv"$/,
      )
      return String(answer.body)
    }
    const [revoked, created] = (await page({ subject: key.id })).entries as [AuditedEvent, AuditedEvent]
    const line = ({ time, event, address, requestId, id }: AuditedEvent) =>
      `${time},${event},done,1,${own},,,${address},${requestId},${key.id},,${id}\r\n`
    assert.equal(
      await exported({ subject: key.id }),
      'time,event,outcome,occurrences,apiKeyId,issuer,tokenSubject,address,requestId,subject,detail,id\r\n' +
        line(revoked) +
        line(created),
    )
    assert.equal((await exported({ subject: 'nothing' })).split('\r\n').length, 2)
    const all = (await exported({})).trim().split('\r\n')
    assert.ok(all.length > 3, String(all.length))
    const refused = await client().get(AUDIT, { query: { since: 'x' }, headers: { accept: 'text/csv' } })
    assertRefused(refused, { status: 400, path: 'since' })
  })

  it('counts what a key was refused', async () => {
    const limited = client().as((await makeKey({ scopes: ['read'] })).apiKey)
    assertRefused(await limited.get(AUDIT), { status: 403, says: /api-keys or account-audit/ })
    // It is written in the background, perhaps of another process; others when their minute is over.
    await until(async () => {
      const { entries } = await page({ event: 'access-forbidden', subject: 'account-audit', limit: '1' })
      return entries[0]?.outcome === 'refused'
    })
  })

  it('pages without gaps or repetitions', async () => {
    const whole = (await page({ limit: '7' })).entries.map(({ id }) => id)
    const paged: string[] = []
    for (let after: string | undefined; paged.length < whole.length;) {
      const { entries, next } = await page({ limit: '2', ...(after !== undefined && { after }) })
      paged.push(...entries.map(({ id }) => id))
      after = next
      if (after === undefined) break
    }
    assert.deepEqual(paged.slice(0, whole.length), whole)
    assert.deepEqual(
      [...whole].sort((one, other) => Number(other) - Number(one)),
      whole,
    )
  })

  it('tells what became of a webhook', async () => {
    const { id } = (await client().ok('POST', '/account/webhooks', {
      json: { url: 'https://receiver.example/audited' },
    })) as { id: string }
    await client().ok('POST', `/account/webhooks/${id}/replay`, { json: {} })
    await client().ok('DELETE', `/account/webhooks/${id}`)
    assert.deepEqual(await auditedOf(client(), id), [
      'webhook-revoked',
      'webhook-replayed',
      'webhook-created',
    ])
  })

  it('shows nothing of other accounts', async () => {
    assert.deepEqual((await page({ subject: key.id }, stranger())).entries, [])
    const all = JSON.stringify(await page({ limit: '1000' }, stranger()))
    assert.ok(!all.includes(own) && !all.includes(key.id))
  })

  it('refuses what it cannot look for, with every problem', async () => {
    const { body, ...answer } = await client().get(AUDIT, {
      query: { since: 'yesterday', outcome: 'maybe', limit: '0' },
    })
    assertRefused({ body, ...answer }, { code: 'invalid_input', path: 'since' })
    assert.deepEqual((body as { details: { path: string }[] }).details.map(({ path }) => path).sort(), [
      'limit',
      'outcome',
      'since',
    ])
    assertRefused(await client().get(AUDIT, { query: { after: 'x' } }), { path: 'after' })
    assertRefused(await client().get(AUDIT, { query: { account: 'default' } }), { says: /account/ })
  })
}
