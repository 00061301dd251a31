import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import type { Rotated } from './behaviour/rotation.js'
import { createDid, createList } from './behaviour/suite.js'
import { commandHere } from './support/command-here.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { installationOf } from './support/service.js'
import { ServiceHere } from './support/service-here.js'
import { tablesThatHold } from './support/stored-texts.js'
import { until } from './support/until.js'

interface Entry {
  credentialHash: string
  list: string
  index: number
  issuedAt: string
  expiresAt?: string
  state?: string
}

type Issued = Record<string, unknown> & { id?: string; jti?: string; proof: { jwt?: string } }

const FORMATS = {
  jwt_vc: { attributes: { name: 'Bob' } },
  'vc+jwt': { attributes: { name: 'Bob' } },
  'dc+sd-jwt': { attributes: { name: 'Bob' }, vct: 'https://credentials.example.com/member' },
  'vc+sd-jwt': { attributes: { name: 'Bob' }, disclosureFrame: { _sd: ['name'] } },
  ldp_vc: {
    attributes: { name: 'Bob' },
    '@context': ['https://www.w3.org/ns/credentials/undefined-terms/v2'],
  },
}

const MESSAGES = ['valid', 'revoked', 'suspended', 'pending_review'].map((message, status) => ({
  status: `0x${status}`,
  message,
}))

const LIST_TYPES = ['BitstringStatusList', 'TokenStatusList', 'StatusList2021'] as const

for (const place of PLACES) {
  describe(`the register of issued credentials (${place})`, () => {
    let folder: string
    let url: string
    let service: ServiceHere
    let client: Client
    let stranger: Client
    let issuer: string
    let bitstring: string
    let token: string

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-register-'))
      url = await emptyInstallation(place)
      service = await ServiceHere.start({ url, listen: true })
      client = await service.clientOf('issuer')
      stranger = await service.clientOf('stranger')
      issuer = await createDid(client)
      const names = LIST_TYPES.map(async (listType) => createList(client, { did: issuer, listType }))
      const lists = await Promise.all(names)
      ;[bitstring = '', token = ''] = lists.map(({ statusListName }) => statusListName)
    })
    after(async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const issue = (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      client.ok('POST', '/credential/issue', {
        json: {
          issuerDid: issuer,
          attributes: { name: 'Bob' },
          credentialStatus: { statusListName: bitstring },
          ...more,
        },
        headers,
      }) as Promise<Issued>
    const entries = async (query: Record<string, string>, by = client) =>
      ((await by.ok('GET', '/credential/entries', { query })) as { entries: Entry[] }).entries
    const act = (action: string, json: object, by = client, query = {}) =>
      by.post(`/credential/${action}`, { json, query })
    const path = ({ body }: { body: unknown }) =>
      (body as { details?: { path: string }[] }).details?.map(({ path: one }) => one)
    const valid = async (credential: unknown) =>
      ((await client.ok('POST', '/credential/verify', { json: { credential } })) as { verified: boolean })
        .verified

    // The signatures of a format are the same on every database.
    for (const [format, more] of place === 'SQLite' ? Object.entries(FORMATS) : []) {
      it(`assigns an id to a ${format} with a status, by which it is found and revoked`, async () => {
        const statusListName = format === 'dc+sd-jwt' ? token : bitstring
        const credential = await issue({ format, ...more, credentialStatus: { statusListName } })
        const id = credential.id ?? credential.jti ?? assert.fail('it has an id')
        assert.match(id, /^urn:uuid:[0-9a-f-]{36}$/)
        if (format === 'jwt_vc') assert.equal(decodeJwt(credential.proof.jwt ?? '').jti, id)
        const [entry, ...others] = await entries({ credentialId: id })
        assert.deepEqual(others, [])
        assert.ok(entry && !JSON.stringify(entry).includes(id))
        const { list, index } = entry
        assert.deepEqual(await entries({ list, index: String(index) }), [entry])
        const shown = format === 'ldp_vc' ? credential : credential.proof.jwt
        assert.equal(await valid(shown), true)
        const { status, body } = await act('revoke', { credentialId: id })
        assert.deepEqual([status, (body as { changed: number[] }).changed], [200, [index]])
        assert.equal(await valid(shown), false)
      })

      it(`keeps the id chosen by the issuer of a ${format}, with and without a status`, async () => {
        const statusListName = format === 'dc+sd-jwt' ? token : bitstring
        for (const [n, credentialStatus] of [{ statusListName }, undefined].entries()) {
          const credentialId = `https://example.com/${format}/${n}`
          const credential = await issue({ format, ...more, credentialId, credentialStatus })
          assert.equal(credential.id ?? credential.jti, credentialId)
          assert.equal((await entries({ credentialId })).length, credentialStatus ? 1 : 0)
        }
      })
    }

    it('assigns no id to a credential without a status, and refuses one that is not a URI', async () => {
      const { id, jti } = await issue({ credentialStatus: undefined })
      assert.deepEqual([id, jti], [undefined, undefined])
      const json = { issuerDid: issuer, attributes: { name: 'Bob' }, credentialId: 'number 5' }
      const refused = await client.post('/credential/issue', { json })
      assert.deepEqual([refused.status, path(refused)], [400, ['credentialId']])
    })

    it('registers a ready-made entry with time and expiry', async () => {
      const first = await issue()
      const { credentialStatus } = first
      const again = await issue({ credentialStatus, validUntil: '2999-01-01T00:00:00Z' })
      const [entry] = await entries({ credentialId: again.id ?? '' })
      assert.equal(entry?.expiresAt, '2999-01-01T00:00:00.000Z')
      assert.ok(Math.abs(Date.parse(entry.issuedAt) - Date.now()) < 60_000)
      const both = await entries({ list: entry.list, index: String(entry.index) })
      assert.equal(both.length, 2)
      assert.notEqual(both[0]?.credentialHash, both[1]?.credentialHash)
    })

    it('knows the purpose of each of several entries in one list', async () => {
      const statusListName = 'both-purposes'
      const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation,suspension' }
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query,
        json: { did: issuer, statusListName },
      })
      const purposes = ['revocation', 'suspension']
      const asked = purposes.map((statusPurpose) => ({ statusListName, statusPurpose }))
      const { id: credentialId = '', credentialStatus } = await issue({ credentialStatus: asked })
      const [revocation, suspension] = (credentialStatus as { statusListIndex: string }[]).map(
        ({ statusListIndex }) => Number(statusListIndex),
      )
      const found = await entries({ credentialId })
      assert.deepEqual(
        found.map((entry) => Object.keys(entry).includes('purpose')),
        [false, false],
      )
      for (const [action, index] of [
        ['suspend', suspension],
        ['reinstate', suspension],
        ['revoke', revocation],
      ] as const) {
        const { body } = await act(action, { credentialId })
        assert.deepEqual((body as { changed: number[] }).changed, [index], action)
      }
      const shared = await issue({ credentialStatus: { statusListName, statusPurpose: purposes } })
      for (const action of ['suspend', 'revoke']) {
        assert.equal((await act(action, { credentialId: shared.id ?? '' })).status, 200, action)
      }
    })

    it('suspends and reinstates by id, in the list for that purpose', async () => {
      const { statusListName } = await createList(client, {
        did: issuer,
        listType: 'BitstringStatusList',
        statusPurpose: 'suspension',
      })
      const credential = await issue({
        credentialStatus: [{ statusListName }, { statusListName: bitstring }],
      })
      const credentialId = credential.id ?? ''
      assert.equal((await entries({ credentialId })).length, 2)
      const suspended = (await act('suspend', { credentialId })).body as { statusListName: string }
      assert.equal(suspended.statusListName, statusListName)
      assert.equal(await valid(credential.proof.jwt), false)
      assert.equal((await act('reinstate', { credentialId })).status, 200)
      assert.equal(await valid(credential.proof.jwt), true)
      const revoked = (await act('revoke', { credentialId })).body as { statusListName: string }
      assert.equal(revoked.statusListName, bitstring)
    })

    it('asks for a choice if several entries match', async () => {
      const credentialId = 'urn:uuid:two-lists'
      await issue({
        credentialId,
        credentialStatus: [{ statusListName: bitstring }, { statusListName: token }],
      })
      const unclear = await act('suspend', { credentialId: 'urn:uuid:two-lists' })
      assert.equal(unclear.status, 400, JSON.stringify(unclear.body))
      const listType = 'TokenStatusList'
      const clear = await act('revoke', { credentialId }, client, { listType })
      assert.deepEqual([clear.status, (clear.body as { listType: string }).listType], [200, listType])
    })

    it("refuses an id that is unknown, another account's, missing, or combined with a credential", async () => {
      const { id: credentialId = '', proof } = await issue()
      const unknown = await act('revoke', { credentialId: 'urn:uuid:unknown' })
      assert.deepEqual([unknown.status, path(unknown)], [400, ['credentialId']])
      assert.equal((unknown.body as { code: string }).code, 'not_registered')
      const theirs = await act('revoke', { credentialId }, stranger)
      assert.deepEqual(
        { ...(theirs.body as object), requestId: '' },
        { ...(unknown.body as object), requestId: '' },
      )
      assert.deepEqual(await entries({ credentialId }, stranger), [])
      const both = await act('revoke', { credentialId, credential: proof.jwt })
      assert.deepEqual([both.status, path(both)], [400, ['credentialId']])
      const none = await act('revoke', {})
      assert.deepEqual([none.status, path(none)], [400, ['credential']])
      const wrong: [query: Record<string, string>, path: string][] = [
        [{ index: '1' }, 'list'],
        [{ credentialId, index: '1' }, 'index'],
        [{ credentialId, did: issuer }, 'did'],
        [{ credentialId, issuedFrom: '2026-01-31' }, 'issuedFrom'],
        [{ list: 'x', did: issuer }, 'did'],
        [{ did: 'x' }, 'did'],
        [{ issuedUntil: 'soon' }, 'issuedUntil'],
      ]
      for (const [query, at] of wrong) {
        const refused = await client.get('/credential/entries', { query })
        assert.deepEqual([refused.status, path(refused)], [400, [at]], JSON.stringify(query))
      }
      assert.deepEqual(await entries({ list: 'https://elsewhere.example/list', index: '1' }), [])
      assert.deepEqual(await entries({ list: 'x' }), [])
    })

    it('is browsed page by page, by list, DID and time, with the state of each entry', async () => {
      const browser = await service.clientOf('browser')
      const did = await createDid(browser)
      const lists = [
        await createList(browser, { did }),
        await createList(browser, {
          did: await createDid(browser),
          statusPurpose: 'message',
          body: { statusSize: 2, statusMessages: MESSAGES },
        }),
      ]
      const issued: string[] = []
      for (const [n, { did: issuerDid, statusListName }] of [...lists, ...lists, ...lists].entries()) {
        const { id = '' } = (await browser.ok('POST', '/credential/issue', {
          json: { issuerDid, attributes: { n }, credentialStatus: { statusListName } },
        })) as Issued
        issued.push(id)
      }
      const [revoked = '', pending = '', suspended = ''] = issued
      await browser.ok('POST', '/credential/revoke', { json: { credentialId: revoked } })
      const [{ index } = { index: 0 }] = await entries({ credentialId: pending }, browser)
      await browser.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'pending_review' },
        json: { ...lists[1], indices: [index] },
      })
      const all = await entries({}, browser)
      assert.equal(all.length, 6)
      const byList = new Map(
        [...new Set(all.map(({ list }) => list))].map((list) => [
          list,
          all.filter((one) => one.list === list),
        ]),
      )
      assert.deepEqual(
        all.map(({ list }) => list),
        [...byList].flatMap(([list, { length }]) => Array<string>(length).fill(list)),
      )
      for (const [list, ofList] of byList) {
        const indices = ofList.map((entry) => entry.index)
        assert.deepEqual(
          indices,
          [...indices].sort((a, b) => a - b),
        )
        assert.deepEqual(await entries({ list }, browser), ofList)
        const [publisher = ''] = list.split('?')
        assert.deepEqual(await entries({ did: publisher }, browser), ofList)
        assert.deepEqual(await entries({ list }, stranger), [])
        assert.deepEqual(await entries({ did: publisher }, stranger), [])
      }
      const stateOf = async (credentialId: string) =>
        (await entries({ credentialId }, browser)).map(({ state }) => state)
      assert.deepEqual(await stateOf(revoked), ['revoked'])
      assert.deepEqual(await stateOf(pending), ['pending_review'])
      assert.deepEqual(await stateOf(suspended), ['valid'])
      assert.deepEqual(all.map(({ state }) => state).sort(), [
        'pending_review',
        'revoked',
        ...Array<string>(4).fill('valid'),
      ])
      const paged: Entry[] = []
      for (let after: string | undefined, n = 0; n === 0 || after !== undefined; n += 1) {
        const query = { limit: '2', ...(after !== undefined && { after }) }
        const page = (await browser.ok('GET', '/credential/entries', { query })) as {
          entries: Entry[]
          next?: string
        }
        assert.ok(page.entries.length <= 2)
        paged.push(...page.entries)
        after = page.next
      }
      assert.deepEqual(paged, all)
      const times = all.map(({ issuedAt }) => issuedAt).sort()
      const [first = '', second = ''] = [times[0], times[3]]
      const between = await entries({ issuedFrom: first, issuedUntil: second }, browser)
      assert.deepEqual(
        between,
        all.filter(({ issuedAt }) => issuedAt >= first && issuedAt < second),
      )
      assert.deepEqual(await entries({ issuedUntil: '2000-01-01' }, browser), [])
      assert.equal((await entries({ issuedFrom: '2000-01-01', did }, browser)).length, 3)
    })

    it('answers no state for a list whose DID the account does not hold any more', async () => {
      const leaving = await service.clientOf('leaving')
      const { did, statusListName } = await createList(leaving)
      await leaving.ok('POST', '/credential/issue', {
        json: { issuerDid: did, attributes: { name: 'Bob' }, credentialStatus: { statusListName } },
      })
      assert.deepEqual(
        (await entries({}, leaving)).map(({ state }) => state),
        ['valid'],
      )
      await leaving.ok('POST', '/agent/didManagerDelete', { json: { did } })
      assert.deepEqual(
        (await entries({}, leaving)).map(({ state }) => state),
        [undefined],
      )
    })

    it('stores the id nowhere in plain text, including idempotency records, updates and events', async () => {
      const credentialId = 'https://example.com/never-in-clear/4711'
      const subjectDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
      await issue({ credentialId, subjectDid }, { 'idempotency-key': `register-${place}` })
      const { status } = await act('revoke', { credentialId })
      assert.equal(status, 200)
      await client.ok('GET', '/account/events', {})
      const found = await tablesThatHold(service.database, [credentialId, subjectDid])
      assert.deepEqual(found, [])
      assert.notDeepEqual(await tablesThatHold(service.database, [issuer]), [])
    })

    it('keeps a former key until the last credential signed with it expires', async () => {
      const did = await createDid(client)
      const { statusListName } = await createList(client, { did, listType: 'BitstringStatusList' })
      const of = (validUntil?: string) =>
        issue({ issuerDid: did, credentialStatus: { statusListName }, validUntil })
      await of('2998-01-01T00:00:00Z')
      await of('2999-01-01T00:00:00Z')
      const settled = async (json: object) => {
        await client.post('/did/rotate-key', { json })
        const rotation = async () => (await client.ok('GET', `/did/rotations/${did}`)) as Rotated
        await until(async () => (await rotation()).state === 'waiting')
        return rotation()
      }
      const first = await settled({ did })
      assert.equal(first.removesAt, '2999-01-01T00:00:00.000Z')
      await client.post('/did/rotate-key', { json: { did, gracePeriod: 'PT0S' } })
      await until(async () => ((await client.ok('GET', `/did/rotations/${did}`)) as Rotated).state === 'done')
      await of()
      const second = await settled({ did })
      assert.equal(second.removesAt, undefined)
    })

    it('imports earlier credentials row by row, and a repeated import changes nothing', async () => {
      const [list = ''] = (await entries({ credentialId: (await issue()).id ?? '' })).map((one) => one.list)
      const theirs = await createDid(stranger)
      const other = await createList(stranger, { did: theirs, listType: 'BitstringStatusList' })
      const foreign = `${theirs}?resourceName=${other.statusListName}&resourceType=BitstringStatusListCredential`
      const id = 'urn:example:"quoted", with a comma'
      const rows = [
        `"${id.replaceAll('"', '""')}",${list},4242,2020-01-01T00:00:00Z,2999-01-01T00:00:00+01:00,${'ab'.repeat(32)}`,
        `urn:example:bare,${list},4243,,,`,
        `urn:example:far,${list},99999999,,,`,
        `urn:example:theirs,${foreign},1,,,`,
        `,${list},1,,,`,
        `urn:example:short,${list}`,
        `urn:example:time,${list},4,yesterday,,`,
      ]
      const file = join(folder, 'issued.csv')
      await writeFile(
        file,
        `\ufeffcredentialId,list,index,issuedAt,expiresAt,signingKey\r\n${rows.join('\r\n')}\r\n`,
      )
      const { file: config, environment } = await installationOf({
        dataDirectory: folder,
        environment: { DATABASE_URL: url, KMS_SECRET_KEY: 'a5'.repeat(32) },
      })
      const args = ['register', 'import', file, '--account', 'issuer', '--json', '--config', config]
      const run = () => commandHere(args, environment)
      const first = await run()
      assert.equal(first.code, 1)
      assert.deepEqual(JSON.parse(first.printed), { registered: 2, known: 0, refused: 5 })
      const lines = first.complained.match(/^line \d+/gm)
      assert.deepEqual(lines, ['line 4', 'line 5', 'line 6', 'line 7', 'line 8'], first.complained)
      assert.deepEqual(JSON.parse((await run()).printed), { registered: 0, known: 2, refused: 5 })
      const [entry] = await entries({ credentialId: id })
      assert.deepEqual(
        [entry?.list, entry?.index, entry?.issuedAt, entry?.expiresAt],
        [list, 4242, '2020-01-01T00:00:00.000Z', '2998-12-31T23:00:00.000Z'],
      )
      const revoked = await act('revoke', { credentialId: 'urn:example:bare' })
      assert.deepEqual((revoked.body as { changed: number[] }).changed, [4243])
      const audited = await service.audit.list({ event: 'credentials-registered' })
      assert.equal(audited.length, 2)
      const { events } = (await client.ok('GET', '/account/events', {
        query: { type: 'credentials.registered' },
      })) as { events: { subject: string; data: object }[] }
      // The second time nothing was registered.
      assert.deepEqual(
        events.map(({ subject, data }) => [subject, data]),
        [['register', { registered: 2, known: 0 }]],
      )
    })
  })
}
