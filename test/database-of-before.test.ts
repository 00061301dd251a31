import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from './support/client.js'
import { restoreBefore, type Before } from './support/database-of-before.js'
import { PLACES } from './support/fresh-database.js'
import { countedAndTallied } from './support/recount.js'
import { Service, type ServiceOptions } from './support/service.js'

/** Everything written by an earlier version is present and usable after the upgrade. */
for (const place of PLACES) {
  describe(`a database of an earlier version (${place})`, () => {
    let dataDirectory: string
    let before: Before
    let options: ServiceOptions
    let service: Service
    let holder: Client
    let taker: Client
    const agent = async <Result>(who: Client, method: string, args: unknown = {}) =>
      (await who.ok('POST', `/agent/${method}`, { json: args })) as Result

    // mocha's own `before` is shadowed by the subject of the tests
    globalThis.before(async () => {
      dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-before-'))
      const restored = await restoreBefore(place, dataDirectory)
      before = restored.before
      options = restored.options
      service = await Service.start(options)
      holder = await Client.of(service.url, before.accounts.holder)
      taker = holder.as(before.accounts.taker)
    })
    after(async () => {
      await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    })

    it('signs with every key', async () => {
      const { X25519, ...signing } = before.keys
      for (const keyRef of Object.values(signing)) {
        assert.ok(await agent(holder, 'keyManagerSign', { keyRef, data: 'x' }))
      }
      assert.equal((await agent<{ type: string }>(holder, 'keyManagerGet', { kid: X25519 })).type, 'X25519')
    })

    it('signs as every held DID, except the deactivated one', async () => {
      const { deactivated, web: _onItsHost, ...signing } = before.dids
      for (const issuerDid of Object.values(signing)) {
        await holder.ok('POST', '/credential/issue', { json: { issuerDid, attributes: { a: 1 } } })
      }
      const refused = await holder.post('/credential/issue', {
        json: { issuerDid: deactivated, attributes: { a: 1 } },
      })
      assert.equal((refused.body as { code: string }).code, 'did_deactivated')
      for (const did of Object.values(before.dids)) {
        assert.equal((await agent<{ did: string }>(holder, 'didManagerGet', { did })).did, did)
      }
    })

    it('changes documents', async () => {
      const { cheqd: did } = before.dids
      const service = { id: `${did}#later`, type: 'LinkedDomains', serviceEndpoint: 'https://later.test' }
      await agent(holder, 'didManagerAddService', { did, service })
      const { services } = await agent<{ services: { id: string }[] }>(holder, 'didManagerGet', { did })
      assert.deepEqual(services.map(({ id }) => id).sort(), [`${did}#later`, `${did}#svc`])
    })

    it('reads and updates the lists, the encrypted one too', async () => {
      const encrypted = { ...before.sealed, listType: 'BitstringStatusList', statusPurpose: 'revocation' }
      for (const { revoked, ...list } of [...before.lists, encrypted]) {
        const { did, statusListName, listType } = list
        const kind = revoked === encrypted.revoked ? 'encrypted' : 'unencrypted'
        await holder.ok('POST', `/credential-status/update/${kind}`, {
          query: { listType, statusAction: 'revoke' },
          json: { did, statusListName, indices: [90] },
        })
        const { results } = await agent<{ results: { index: number; revoked: boolean }[] }>(
          holder,
          'statusListCheck',
          { ...list, indices: [...revoked, 90, 1] },
        )
        const found = results.flatMap((result) => (result.revoked ? [result.index] : []))
        assert.deepEqual(found, [...revoked, 90], listType)
      }
    })

    it('verifies credentials by their status, and allocates new indices', async () => {
      const { good, revoked } = before.credentials
      const verdicts = [good, revoked].map((credential) =>
        holder.ok('POST', '/credential/verify', { json: { credential } }),
      )
      const verified = (await Promise.all(verdicts)).map(
        (verdict) => (verdict as { verified: boolean }).verified,
      )
      assert.deepEqual(verified, [true, false])
      await holder.ok('POST', '/credential/revoke', { json: { credential: good } })
      const { did, statusListName } = before.lists[1] ?? assert.fail()
      await holder.ok('POST', '/credential/issue', {
        json: { issuerDid: did, attributes: { a: 1 }, credentialStatus: { did, statusListName } },
      })
    })

    it("renames keys that had another key's name to their own public key, and they still sign", async () => {
      const { did, kid, statusListName, swapped, twice, ofDidKey } = before.claimed
      assert.equal((await taker.get(`/key/read/${kid}`)).status, 404)
      const { keys } = await agent<{ keys: { kid: string; publicKeyHex: string }[] }>(
        taker,
        'didManagerGet',
        {
          did,
        },
      )
      assert.deepEqual(
        keys.map((key) => key.kid),
        keys.map(({ publicKeyHex }) => publicKeyHex),
      )
      for (const name of [...swapped, twice, ofDidKey.kid, ...keys.map((key) => key.kid)]) {
        const { publicKeyHex } = await agent<{ publicKeyHex: string }>(taker, 'keyManagerGet', { kid: name })
        const signature = await agent<string>(taker, 'keyManagerSign', { keyRef: name, data: 'x' })
        const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKeyHex, 'hex').toString('base64url') }
        const publicKey = createPublicKey({ key, format: 'jwk' })
        assert.equal(publicKeyHex, name)
        assert.ok(verify(null, Buffer.from('x'), publicKey, Buffer.from(signature, 'base64url')), name)
      }
      await taker.ok('POST', '/credential/issue', { json: { issuerDid: ofDidKey.did, attributes: { a: 1 } } })
      const checked = await taker.post('/credential-status/check', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { did, statusListName, index: 1 },
      })
      assert.equal((checked.body as { code: string }).code, 'list_encrypted')
    })

    it('has each DID once, in the spelling of its ledger', async () => {
      const { did, kid } = before.spelling
      const other = did.replace(/[^:]+$/, (id) => id.toUpperCase())
      for (const who of [holder, taker]) {
        const found = await agent<{ did: string }[]>(who, 'didManagerFind')
        const spellings = found.filter((one) => one.did.toLowerCase() === did.toLowerCase())
        assert.deepEqual(
          spellings.map((one) => one.did),
          [did],
        )
        for (const spelling of [did, other]) {
          const held = await agent<{ did: string; keys: { kid: string }[] }>(who, 'didManagerGet', {
            did: spelling,
          })
          assert.deepEqual([held.did, held.keys.map((key) => key.kid)], [did, [kid]])
        }
        const imported = (await who.ok('POST', '/did/import', { json: { did: other } })) as { did: string }
        assert.equal(imported.did, did)
        const { issuer } = (await who.ok('POST', '/credential/issue', {
          json: { issuerDid: other, attributes: { a: 1 } },
        })) as { issuer: { id: string } }
        assert.equal(issuer.id, did)
      }
    })

    it('knows API keys and what they may do', async () => {
      const { second, afterRotation } = before.apiKeys
      await holder.as(afterRotation).ok('POST', '/key/create')
      assert.equal((await holder.as(second).get('/did/list')).status, 200)
      assert.equal((await holder.as(second).post('/key/create')).status, 403)
    })

    it('has the quotas of each account right, for existing and new objects', async () => {
      const { environment = {} } = options
      const url = environment.DATABASE_URL ?? `sqlite:${join(dataDirectory, 'agent.sqlite')}`
      const { counted, tallied } = await countedAndTallied(url)
      assert.deepEqual(tallied, counted)
      const kinds = new Set(tallied.map(({ kind }) => kind))
      assert.deepEqual([...kinds].filter((kind) => kind !== 'answerBytes').sort(), [
        'dids',
        'keys',
        'ledgerBytes',
        'statusLists',
      ])
      const { statusLists, bytes } = (await holder.ok('GET', '/account/usage')) as {
        statusLists: { used: number }
        bytes: { used: number }
      }
      assert.ok(statusLists.used >= before.lists.length && bytes.used > 10_000)
    })

    it('keeps webhooks, payments and the audit trail', async () => {
      const webhooks = JSON.stringify(await holder.ok('GET', '/account/webhooks'))
      assert.ok(webhooks.includes(before.webhook))
      assert.equal((await agent<{ total: number }>(taker, 'statusListPayments')).total, 1)
      const audited = await service.audited({})
      const subjects = new Set(audited.map(({ subject }) => subject))
      for (const did of Object.values(before.dids)) assert.ok(subjects.has(did), did)
    })
  })
}
