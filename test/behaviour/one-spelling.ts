import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Client } from '../support/client.js'
import { outsideKey } from '../support/outside-key.js'
import { createDid, freshName, type Setup } from './suite.js'

const purpose = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
const capital = (did: string) => did.replace(/[^:]+$/, (id) => id.toUpperCase())
const service = (did: string, name: string) => ({
  id: `${did}#${name}`,
  type: 'Files',
  serviceEndpoint: 'https://a.example',
})

interface Held {
  did: string
  services: unknown[]
}

/** Ledgers keep UUIDs in lower case: whatever callers write, through any operation, an account has each DID once. */
export function oneSpellingSuite({ client, stranger }: Setup): void {
  const agent = (method: string, args: unknown, who: Client = client()) =>
    who.ok('POST', `/agent/${method}`, { json: args })
  const newDid = () => `did:cheqd:testnet:${randomUUID()}`
  /** As the account has it, however often. */
  const entriesOf = async (did: string, who: Client = client()): Promise<Held[]> => {
    const found: Held[] = []
    for (let after: string | undefined; ; after = found.at(-1)?.did) {
      const page = (await agent('didManagerFind', { limit: 1000, ...(after && { after }) }, who)) as Held[]
      found.push(...page)
      if (page.length < 1000) return found.filter((one) => one.did.toLowerCase() === did.toLowerCase())
    }
  }
  const assertOnce = async (did: string, who: Client = client()): Promise<Held> => {
    const entries = await entriesOf(did, who)
    assert.deepEqual(
      entries.map((one) => one.did),
      [did],
    )
    for (const written of [did, capital(did)]) {
      assert.equal(((await who.ok('GET', `/did/read/${written}`)) as Held).did, did)
      assert.equal(((await agent('didManagerGet', { did: written }, who)) as Held).did, did)
    }
    return entries[0] ?? assert.fail()
  }

  const CREATIONS: Record<string, (id: string) => Promise<unknown>> = {
    'POST /did/create': (id) => client().ok('POST', '/did/create', { json: { didDocument: { id } } }),
    'POST /1.0/create': async (id) => {
      const request = { query: { method: 'cheqd' }, json: { didDocument: { id } } }
      assert.equal((await client().post('/1.0/create', request)).status, 201)
    },
    'POST /agent/didManagerCreate': (id) => agent('didManagerCreate', { options: { didDocument: { id } } }),
    'POST /agent/didManagerGetOrCreate': (id) =>
      agent('didManagerGetOrCreate', { alias: freshName('did'), options: { didDocument: { id } } }),
  }
  for (const [door, create] of Object.entries(CREATIONS)) {
    it(`is that of the ledger for DIDs created in upper case: ${door}`, async () => {
      const did = newDid()
      await create(capital(did))
      await assertOnce(did)
      await assert.rejects(create(capital(did)))
      await assert.rejects(create(did))
      await assertOnce(did)
    })
  }

  it('is that of the ledger for DIDs imported and changed in upper case', async () => {
    const { privateKeyHex } = outsideKey()
    const { kid } = (await client().ok('POST', '/key/import', { json: { privateKeyHex } })) as { kid: string }
    const did = await createDid(client(), { key: kid })
    const keys = [{ type: 'Ed25519', privateKeyHex }]
    for (const who of [client(), stranger()]) {
      for (const written of [capital(did), did]) {
        await who.ok('POST', '/did/import', { json: { did: written, keys } })
      }
      await assertOnce(did, who)
    }
    const upper = capital(did)
    const key = (await client().ok('POST', '/key/create')) as { kid: string }
    await agent('didManagerSetAlias', { did: upper, alias: freshName('alias') })
    await agent('didManagerAddKey', { did: upper, key: { ...key, kms: 'local' } })
    await agent('didManagerAddService', { did: upper, service: service(upper, 'first') })
    await client().ok('POST', '/1.0/update', {
      json: {
        did: upper,
        didDocumentOperation: ['addToDidDocument'],
        didDocument: [{ service: [service(did, 'second')] }],
      },
    })
    assert.equal((await assertOnce(did)).services.length, 2)
    await agent('didManagerRemoveService', { did: upper, id: `${upper}#first` })
    await agent('didManagerRemoveKey', { did: upper, kid: key.kid })
    const list = { did: upper, statusListName: freshName('list') }
    await client().ok('POST', '/credential-status/create/unencrypted', { query: purpose, json: list })
    await client().ok('POST', '/credential/issue', {
      json: { issuerDid: upper, attributes: { a: 1 }, credentialStatus: list },
    })
    const resource = { did: upper, resourceName: freshName('resource'), resourceType: 'T', data: 'AAAA' }
    await agent('linkedResourceCreate', resource)
    assert.equal((await assertOnce(did)).services.length, 1)
    await client().ok('POST', '/1.0/deactivate', { json: { did: upper } })
    await assertOnce(did)
    await agent('didManagerDelete', { did: upper })
    assert.deepEqual(await entriesOf(did), [])
    await assertOnce(did, stranger())
  })

  it('is that of the ledger for lists, credentials and presentations that agents name in upper case', async () => {
    const did = await createDid(client())
    const upper = capital(did)
    const [open, sealed] = [freshName('open'), freshName('sealed')]
    const of = (statusListName: string) => ({ ...purpose, did: upper, statusListName })
    await agent('statusListCreate', of(open))
    await agent('statusListCreate', { ...of(sealed), encrypted: true })
    const taken: unknown[] = []
    for (const written of [upper, did]) {
      const allocated = agent('statusListAllocate', {
        did: written,
        statusListName: open,
        statusListIndex: 7,
      })
      taken.push(await allocated.catch((error: unknown) => String(error)))
    }
    assert.match(String(taken[1]), /already allocated/)
    const revoke = { listType: purpose.listType, statusAction: 'revoke', did: upper, indices: [7] }
    await agent('statusListUpdate', { ...revoke, statusListName: open })
    for (const name of [open, sealed]) {
      const checked = (await agent('statusListCheck', { ...of(name), index: 7 })) as { revoked: boolean }
      assert.equal(checked.revoked, name === open)
      assert.ok(await agent('statusListSearch', of(name)))
    }
    const credential = (await agent('credentialIssue', {
      issuerDid: upper,
      subjectDid: upper,
      attributes: { a: 1 },
    })) as {
      issuer: { id: string }
      proof: { jwt: string }
    }
    assert.equal(credential.issuer.id, did)
    const parties = { holderDid: upper, verifierDid: upper }
    const made = await agent('presentationCreate', { credentials: [credential.proof.jwt], ...parties })
    const { proof } = made as { proof: { jwt: string } }
    for (const verifierDid of [upper, did]) {
      const verified = await agent('presentationVerify', { presentation: proof.jwt, verifierDid })
      assert.equal((verified as { verified: boolean }).verified, true)
    }
    const jwt = await agent('didJwtCreate', { did: upper, payload: { a: 1 } })
    assert.ok(await agent('didJwtVerify', { did: upper, jwt }))
  })
}
