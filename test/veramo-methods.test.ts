import assert from 'node:assert/strict'
import { BOUNDS } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { assertRefused } from './support/refused.js'
import { ServiceHere } from './support/service-here.js'

interface Made {
  did: string
  keys: [{ kid: string }]
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const jwtOf = (payload: string) => `${base64url('{"alg":"EdDSA","typ":"JWT"}')}.${base64url(payload)}.c2ln`
const LONG = 'x'.repeat(100_000)

for (const place of PLACES) {
  describe(`methods of Veramo (${place})`, () => {
    let service: ServiceHere
    let client: Client
    let held: Made
    let ledgerDid: string
    before(async () => {
      service = await ServiceHere.start({ url: await emptyInstallation(place), listen: true })
      client = await service.clientOf('default')
      held = (await client.ok('POST', '/agent/didManagerCreate', { json: { provider: 'did:key' } })) as Made
      const made = await client.ok('POST', '/did/create', { json: { network: 'testnet' } })
      ledgerDid = (made as Made).did
    })
    after(() => service?.stop())

    const call = (method: string, json: object) => client.post(`/agent/${method}`, { json })
    const refused = async (method: string, json: object, path: string) =>
      assertRefused(await call(method, json), { code: 'invalid_input', path })

    const credential = (more: object) => ({
      credential: { issuer: { id: held.did }, credentialSubject: { a: 1 }, ...more },
      proofFormat: 'jwt',
    })
    const presentation = (more: object) => ({
      presentation: { holder: held.did, ...more },
      proofFormat: 'jwt',
    })

    it('sign times as far as their library takes them, and refuse what it fails on', async () => {
      const signed = async (more: object) => {
        const { status, body } = await call('createVerifiableCredential', credential(more))
        assert.equal(status, 200, JSON.stringify(body))
      }
      await signed({ expirationDate: '5138-11-16T09:46:39Z' })
      await signed({ exp: 99_999_999_999 })
      for (const time of ['5138-11-16T09:46:40Z', '9999-12-31T23:59:59Z']) {
        for (const member of ['issuanceDate', 'expirationDate'])
          await refused('createVerifiableCredential', credential({ [member]: time }), `credential.${member}`)
        await refused(
          'createVerifiablePresentation',
          presentation({ expirationDate: time }),
          'presentation.expirationDate',
        )
      }
      for (const exp of [1e11, 1e300, -1, 1.5, 'soon']) {
        await refused('createVerifiableCredential', credential({ exp }), 'credential.exp')
        await refused('createVerifiablePresentation', presentation({ exp }), 'presentation.exp')
      }
      for (const member of ['now', 'expiresIn']) {
        const beyond = { [member]: 1e300 }
        await refused('createVerifiableCredential', { ...credential({}), ...beyond }, member)
        await refused('createVerifiablePresentation', { ...presentation({}), ...beyond }, member)
      }
      await refused('createVerifiableCredential', credential({ vc: 5 }), 'credential.vc')
      await refused('createVerifiablePresentation', presentation({ vp: 5 }), 'presentation.vp')
    })

    it('refuse credentials in a presentation that cannot be read', async () => {
      const exp = Date.parse('9999-12-31T23:59:59Z') / 1000
      const sound = jwtOf(JSON.stringify({ iss: 'did:example:a', exp, vc: { credentialSubject: { a: 1 } } }))
      const { status, body } = await call(
        'createVerifiablePresentation',
        presentation({ verifiableCredential: [sound] }),
      )
      assert.equal(status, 200, JSON.stringify(body))
      const unsound: [content: string, member: string][] = [
        [`{"vc":${'['.repeat(5000)}${']'.repeat(5000)}}`, ''],
        ['no JSON', ''],
        ['null', ''],
        ['[]', ''],
        ['{"exp":1e300}', '.exp'],
        ['{"nbf":"soon"}', '.nbf'],
        ['{"iat":-1e300}', '.iat'],
      ]
      const asObject = (jwt: string) => ({
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        issuer: 'did:example:a',
        issuanceDate: '2026-01-01T00:00:00Z',
        credentialSubject: {},
        proof: { jwt },
      })
      for (const [content, member] of unsound) {
        const jwt = jwtOf(content)
        for (const one of [jwt, asObject(jwt)])
          await refused(
            'createVerifiablePresentation',
            presentation({ verifiableCredential: [sound, one] }),
            `presentation.verifiableCredential[1]${member}`,
          )
        await refused(
          'createVerifiablePresentation',
          presentation({ vp: { verifiableCredential: [jwt] } }),
          `presentation.vp.verifiableCredential[0]${member}`,
        )
      }
      const { proof: _, ...other } = asObject('')
      const ofOtherModel = { ...other, '@context': ['https://www.w3.org/ns/credentials/v2'], proof: {} }
      assertRefused(
        await call('createVerifiablePresentation', presentation({ verifiableCredential: [ofOtherModel] })),
        { code: 'invalid_credential' },
      )
    })

    it('have the bounds of operations that do the same', async () => {
      const many = Array.from({ length: BOUNDS.listedTexts + 1 }, () => 'Person')
      await refused('createVerifiableCredential', credential({ id: LONG }), 'credential.id')
      await refused('createVerifiableCredential', credential({ type: many }), 'credential.type')
      await refused('createVerifiableCredential', credential({ type: [LONG] }), 'credential.type')
      const about = credential({ credentialSubject: { id: `did:example:${LONG}`, a: 1 } })
      await refused('createVerifiableCredential', about, 'credential.credentialSubject.id')
      for (const member of ['challenge', 'domain'])
        await refused('createVerifiablePresentation', { ...presentation({}), [member]: LONG }, member)
      const web = await client.ok('POST', '/agent/didManagerCreate', {
        json: { provider: 'did:web', alias: 'veramo.example' },
      })
      const { did } = web as Made
      const hub = { id: '#hub', type: 'Hub', serviceEndpoint: 'https://hub.example' }
      const add = (more: object, member: string) =>
        refused('didManagerAddService', { did, service: { ...hub, ...more } }, `service.${member}`)
      await add({ serviceEndpoint: LONG }, 'serviceEndpoint')
      await add({ serviceEndpoint: ['https://hub.example', LONG] }, 'serviceEndpoint')
      await add({ serviceEndpoint: { uri: LONG } }, 'serviceEndpoint')
      await add({ serviceEndpoint: many }, 'serviceEndpoint')
      await add({ description: LONG }, 'description')
      await client.ok('POST', '/agent/didManagerAddService', { json: { did, service: hub } })
    })

    it('have them for a DID on a ledger', async () => {
      const resolved = await client.ok('GET', `/did/search/${ledgerDid}`)
      const { didDocument } = resolved as { didDocument: object }
      const hub = { id: `${ledgerDid}#hub`, type: 'Hub', serviceEndpoint: ['https://hub.example'] }
      const update = (change: object) => ({ did: ledgerDid, document: { ...didDocument, ...change } })
      for (const [change, path] of [
        [{ service: [{ ...hub, serviceEndpoint: [LONG] }] }, 'document.service[0].serviceEndpoint'],
        [{ service: [{ ...hub, routingKeys: [LONG] }] }, 'document.service[0].routingKeys'],
        [{ service: [{ ...hub, description: LONG }] }, 'document.service[0].description'],
        [{ alsoKnownAs: [`https://${LONG}`] }, 'document.alsoKnownAs'],
      ] as const)
        await refused('didManagerUpdate', update(change), path)
      await refused(
        'didManagerAddService',
        { did: ledgerDid, service: { ...hub, serviceEndpoint: LONG } },
        'service.serviceEndpoint',
      )
      assertRefused(
        await client.post('/did/update', {
          json: { did: ledgerDid, didDocument: { ...didDocument, alsoKnownAs: [`https://${LONG}`] } },
        }),
        { code: 'invalid_input', path: 'didDocument.alsoKnownAs' },
      )
      await client.ok('POST', '/agent/didManagerUpdate', { json: update({ service: [hub] }) })
    })

    it('show no key whose row contradicts its name', async () => {
      const [{ kid }] = held.keys
      const other = 'ab'.repeat(32)
      await service.database.write((connection) =>
        connection.run(sql`UPDATE "key" SET "publicKeyHex" = ${other} WHERE "publicKeyHex" = ${kid}`),
      )
      const answers = await Promise.all([
        call('keyManagerGet', { kid }),
        call('didManagerGet', { did: held.did }),
        client.get(`/key/read/${kid}`),
        client.get('/key/list'),
      ])
      for (const { status, body } of answers) {
        assert.equal(status, 500, JSON.stringify(body))
        assert.ok(!JSON.stringify(body).includes(other))
      }
    })
  })
}
