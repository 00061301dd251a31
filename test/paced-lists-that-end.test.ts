import assert from 'node:assert/strict'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { AgentError } from '@vidimus/core-types'
import { createList } from './behaviour/suite.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import type { InterruptedEmbeddedLedger } from './support/interrupted-ledger.js'
import { newPrivateKey, publicKeyHexOf } from './support/isolation-table.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

const MODULE = join(import.meta.dirname, 'support/interrupted-ledger.ts')

interface List {
  did: string
  statusListName: string
}

for (const place of PLACES) {
  describe(`changes that wait when their DID ends (${place})`, () => {
    let service: ServiceHere
    let client: Client
    let colleague: Client

    before(async () => {
      service = await ServiceHere.start({
        url: await emptyInstallation(place),
        listen: true,
        configure: (text) =>
          text.replaceAll("'@vidimus/ledger-local#EmbeddedLedger'", `'${MODULE}#InterruptedEmbeddedLedger'`),
      })
      client = await service.clientOf('issuer')
      colleague = await service.clientOf('colleague')
    })
    after(() => service.stop())

    const hourly = () => createList(client, { body: { publishEvery: 'PT1H' } })
    const revoke = async (list: List, ...indices: number[]) =>
      client.post('/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { ...list, indices },
      })
    const deactivate = (did: string, by = client) => by.ok('POST', `/did/deactivate/${did}`, { json: {} })
    /** What an acknowledged change says of its publication. */
    const published = ({ status, body }: { status: number; body: unknown }) =>
      status === 200 && (body as { published: boolean }).published

    it('are published at once if they come after what waited was published for the last time', async () => {
      const list = await hourly()
      let answer = { status: 0, body: {} as unknown }
      const { interlude } = service.ledger as InterruptedEmbeddedLedger
      interlude.plan('before', async () => (answer = await revoke(list, 7)))
      await deactivate(list.did)
      assert.equal(published(answer), true, JSON.stringify(answer))
      assert.deepEqual(await revokedIn(list), [7])
    })

    it('are refused once it has ended', async () => {
      const list = await hourly()
      let answer = { status: 0, body: {} as unknown }
      const { interlude } = service.ledger as InterruptedEmbeddedLedger
      interlude.plan('after', async () => (answer = await revoke(list, 7)))
      await deactivate(list.did)
      assert.deepEqual([answer.status, (answer.body as { code: string }).code], [400, 'did_deactivated'])
      assert.deepEqual(await revokedIn(list), [])
    })

    it('are published by the account that can sign them, whoever ends the DID', async () => {
      const list = await hourly()
      const { did } = list
      const privateKeyHex = newPrivateKey()
      const x = Buffer.from(publicKeyHexOf(privateKeyHex), 'hex').toString('base64url')
      const { didDocument } = (await client.ok('GET', `/1.0/identifiers/${did}`, {
        headers: { accept: 'application/did-resolution' },
      })) as { didDocument: { verificationMethod: object[]; authentication: string[] } }
      const method = {
        id: `${did}#colleague`,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x },
      }
      await client.ok('POST', '/did/update', {
        json: {
          did,
          verificationMethod: [...didDocument.verificationMethod, method],
          authentication: [...didDocument.authentication, method.id],
        },
      })
      await colleague.ok('POST', '/did/import', { json: { did, keys: [{ type: 'Ed25519', privateKeyHex }] } })
      assert.equal(published(await revoke(list, 7)), false)
      await deactivate(did, colleague)
      assert.deepEqual(await revokedIn(list), [7])
    })

    it('are published, all of them, when their DID leaves the account', async () => {
      const list = await hourly()
      const indices = Array.from({ length: 288 }, (_, n) => n * 451)
      for (const some of [indices.slice(0, 100), indices.slice(100)])
        assert.equal(published(await revoke(list, ...some)), false)
      await client.ok('POST', '/agent/didManagerDelete', { json: { did: list.did } })
      assert.deepEqual(await revokedIn(list), indices)
    })

    it('stay as they are when somebody else names their DID', async () => {
      const list = await hourly()
      assert.equal(published(await revoke(list, 7)), false)
      const { status } = await colleague.post('/agent/didManagerDelete', { json: { did: list.did } })
      assert.equal(status, 400)
      assert.deepEqual(await revokedIn(list), [])
      assert.equal(published(await revoke(list, 8)), false)
    })

    it('are work that is tried again, at once if somebody says so, when their version could not be made', async () => {
      const list = await createList(client, { body: { publishEvery: 'PT1S' } })
      const work = async () => {
        const { items } = (await client.ok('GET', '/work', { query: { kind: 'slot' } })) as {
          items: {
            id: string
            subject: string
            state: string
            failure?: string
            since: string
            can: string[]
          }[]
        }
        return items.find(({ subject }) => subject.startsWith(`${list.did}?`))
      }
      const { interlude } = service.ledger as InterruptedEmbeddedLedger
      const fail = (): Promise<never> => {
        interlude.plan('before', fail)
        return Promise.reject(new AgentError('ledger_unavailable', 'the ledger is away'))
      }
      interlude.plan('before', fail)
      const { visibleFrom } = (await revoke(list, 7)).body as { visibleFrom: string }
      await service.agent.execute('statusListRenew', {})
      await until(async () => (await work())?.state === 'failed')
      const { id = '', failure, since, can } = (await work()) ?? {}
      assert.deepEqual([failure, since, can], ['the ledger is away', visibleFrom, ['retry']])
      assert.deepEqual(await revokedIn(list), [])
      interlude.plan('before', () => Promise.resolve())
      await client.ok('POST', `/work/${id}/retry`)
      await until(async () => (await work()) === undefined)
      assert.deepEqual(await revokedIn(list), [7])
    })

    /** By the bits of its newest version: nobody accepts a list of an ended DID any more. */
    const revokedIn = async ({ did }: List) => {
      const { resources } = (await client.ok('POST', '/agent/linkedResourceListNewest', {
        json: { did },
      })) as {
        resources: { metadata: { resourceId: string } }[]
      }
      const path = `/1.0/identifiers/${did}/resources/${resources[0]?.metadata.resourceId}`
      const jwt = await (await fetch(client.url + path)).text()
      const { credentialSubject } = JSON.parse(
        Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString(),
      ) as { credentialSubject: { encodedList: string } }
      const bits = gunzipSync(Buffer.from(credentialSubject.encodedList.slice(1), 'base64url'))
      return [...bits].flatMap((byte, n) =>
        Array.from({ length: 8 }, (_, bit) => n * 8 + bit).filter((index) => byte & (0x80 >> (index % 8))),
      )
    }
  })
}
