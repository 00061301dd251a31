import assert from 'node:assert/strict'
import { outsideKey } from '../support/outside-key.js'
import { refusedInBothEncodings } from '../support/refused.js'
import { auditedOf, createDid, freshName, type Setup } from './suite.js'

interface Key {
  kid: string
  type: string
  publicKeyHex: string
}

/** An Ed25519 key pair made outside of the service. */
export function ed25519(): { privateKeyHex: string; publicKeyHex: string } {
  const { privateKeyHex, publicKeyHex } = outsideKey()
  return { privateKeyHex, publicKeyHex }
}

export function keySuite({ client, stranger }: Setup): void {
  const importKey = (body: Record<string, unknown>) =>
    client().ok('POST', '/key/import', { json: body }) as Promise<Key>

  describe('POST /key/import', () => {
    it('imports an Ed25519 key as seed, and again with the same answer', async () => {
      const { privateKeyHex, publicKeyHex } = ed25519()
      const key = await importKey({ privateKeyHex, type: 'Ed25519' })
      const { createdAt, ...others } = key as Key & { createdAt: string }
      assert.deepEqual(others, {
        kid: publicKeyHex,
        type: 'Ed25519',
        publicKeyHex,
        kms: 'local',
        meta: { algorithms: ['EdDSA', 'Ed25519'] },
      })
      assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000)
      assert.deepEqual(await client().ok('GET', `/key/read/${publicKeyHex}`), key)
      assert.deepEqual(await importKey({ privateKeyHex }), key)
      assert.deepEqual(await auditedOf(client(), publicKeyHex), ['key-imported'])
      assert.deepEqual(
        await client().ok('POST', '/key/import', { form: { privateKeyHex, type: 'Ed25519' } }),
        key,
      )
    })

    it('imports the 64-byte form, whose halves must match', async () => {
      const { privateKeyHex, publicKeyHex } = ed25519()
      const key = await importKey({ privateKeyHex: privateKeyHex + publicKeyHex })
      assert.equal(key.publicKeyHex, publicKeyHex)
      await refusedInBothEncodings(
        client(),
        '/key/import',
        { privateKeyHex: privateKeyHex + ed25519().publicKeyHex },
        { path: 'privateKeyHex' },
      )
    })

    for (const [type, privateKeyHex, length] of [
      ['Secp256k1', outsideKey('Secp256k1').privateKeyHex, 130],
      ['Secp256r1', outsideKey('Secp256r1').privateKeyHex, 66],
      ['X25519', 'a8abababababababababababababababababababababababababababababab6b', 64],
    ] as const) {
      it(`imports ${type} keys`, async () => {
        const key = await importKey({ type, privateKeyHex })
        assert.equal(key.type, type)
        assert.equal(key.publicKeyHex.length, length)
        assert.equal(key.kid, key.publicKeyHex)
      })
    }

    it('keeps a numeric alias as text, unique within the account', async () => {
      const alias = `42${freshName('')}`
      const { privateKeyHex } = ed25519()
      await client().ok('POST', '/key/import', { form: { privateKeyHex, alias } })
      await refusedInBothEncodings(
        client(),
        '/key/import',
        { privateKeyHex: ed25519().privateKeyHex, alias },
        { code: 'alias_taken', path: 'alias' },
      )
      await stranger().ok('POST', '/key/import', { json: { privateKeyHex: ed25519().privateKeyHex, alias } })
    })

    it('accepts what clients of the original service send, and refuses encrypted transfer', async () => {
      const { privateKeyHex } = ed25519()
      await importKey({ privateKeyHex, encrypted: false })
      await refusedInBothEncodings(
        client(),
        '/key/import',
        { privateKeyHex, encrypted: true },
        { path: 'encrypted', says: /not supported/ },
      )
    })

    const { privateKeyHex } = ed25519()
    const bad: [string, Record<string, unknown>, { path: string }][] = [
      ['no key', { type: 'Ed25519' }, { path: 'privateKeyHex' }],
      ['malformed hex', { privateKeyHex: 'zz'.repeat(32) }, { path: 'privateKeyHex' }],
      ['a key of a wrong length', { privateKeyHex: 'abcd' }, { path: 'privateKeyHex' }],
      ['a key of 40 bytes', { privateKeyHex: 'ab'.repeat(40) }, { path: 'privateKeyHex' }],
      ['half a byte', { privateKeyHex: privateKeyHex.slice(1) }, { path: 'privateKeyHex' }],
      ['an unknown type', { privateKeyHex, type: 'RSA' }, { path: 'type' }],
      [
        'a scalar out of range',
        { privateKeyHex: 'ff'.repeat(32), type: 'Secp256r1' },
        { path: 'privateKeyHex' },
      ],
      ['an empty alias', { privateKeyHex, alias: '' }, { path: 'alias' }],
    ]
    for (const [title, body, refusal] of bad) {
      it(`refuses ${title} without repeating the key`, async () => {
        await refusedInBothEncodings(client(), '/key/import', body, refusal)
        const { body: answer } = await client().post('/key/import', { json: body })
        if ('privateKeyHex' in body) {
          assert.ok(!JSON.stringify(answer).includes(String(body.privateKeyHex)))
        }
      })
    }
  })

  describe('GET /key/read/{kid}', () => {
    it('returns the public key to its own account only', async () => {
      const key = (await client().ok('POST', '/key/create', { query: { type: 'Ed25519' } })) as Key
      const read = (await client().ok('GET', `/key/read/${key.kid}`)) as Key
      assert.equal(read.publicKeyHex, key.publicKeyHex)
      assert.ok(!JSON.stringify(read).includes('rivate'))
      const foreign = await stranger().get(`/key/read/${key.kid}`)
      const unknown = await stranger().get(`/key/read/${'ab'.repeat(32)}`)
      assert.equal(foreign.status, 404)
      assert.equal(unknown.status, 404)
      const sentence = (answer: typeof foreign, kid: string) =>
        (answer.body as { error: string }).error.replace(kid, '<kid>')
      assert.equal(sentence(foreign, key.kid), sentence(unknown, 'ab'.repeat(32)))
    })
  })

  describe('POST /did/import', () => {
    /** A DID on the ledger whose key the caller knows. */
    async function knownDid() {
      const pair = ed25519()
      const { kid } = (await stranger().ok('POST', '/key/import', { json: pick(pair) })) as Key
      const did = await createDid(stranger(), { key: kid })
      return { did, ...pair }
    }
    const pick = ({ privateKeyHex }: { privateKeyHex: string }) => ({ privateKeyHex, type: 'Ed25519' })

    it('imports a DID with its key, as JSON and as a form, repeatedly', async () => {
      const { did, publicKeyHex, privateKeyHex } = await knownDid()
      const body = { did, keys: [{ type: 'Ed25519', privateKeyHex }] }
      const first = (await client().ok('POST', '/did/import', { json: body })) as {
        did: string
        keys: Key[]
        controllerKeyId: string
      }
      assert.equal(first.did, did)
      assert.equal(first.controllerKeyId, publicKeyHex)
      assert.equal(first.keys[0]?.publicKeyHex, publicKeyHex)
      assert.deepEqual(await client().ok('POST', '/did/import', { json: body }), first)
      assert.deepEqual(await auditedOf(client(), did), ['did-imported'])
      assert.deepEqual(
        await client().ok('POST', '/did/import', { form: { did, keys: JSON.stringify(body.keys) } }),
        first,
      )
      assert.deepEqual(
        await client().ok('POST', '/did/import', {
          form: { did, 'keys[0][type]': 'Ed25519', 'keys[0][privateKeyHex]': privateKeyHex },
        }),
        first,
      )
    })

    it('allows both accounts to use it', async () => {
      const { did, privateKeyHex } = await knownDid()
      await client().ok('POST', '/did/import', { json: { did, keys: [{ privateKeyHex }] } })
      for (const account of [client(), stranger()]) {
        await account.ok('POST', '/credential/issue', {
          json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
        })
      }
    })

    it('requires no keys if the account holds one already', async () => {
      const { did, privateKeyHex } = await knownDid()
      await refusedInBothEncodings(client(), '/did/import', { did }, { path: 'keys' })
      await client().ok('POST', '/key/import', { json: { privateKeyHex } })
      await client().ok('POST', '/did/import', { json: { did } })
    })

    it('refuses a key that does not belong to the DID, and imports nothing', async () => {
      const { did, privateKeyHex } = await knownDid()
      const wrong = ed25519()
      await refusedInBothEncodings(
        client(),
        '/did/import',
        { did, keys: [{ privateKeyHex }, { privateKeyHex: wrong.privateKeyHex }] },
        { code: 'key_mismatch', path: 'keys[1].privateKeyHex' },
      )
      const { dids } = (await client().ok('GET', '/did/list', { query: { limit: '1000' } })) as {
        dids: string[]
      }
      assert.ok(!dids.includes(did))
      assert.equal((await client().get(`/key/read/${wrong.publicKeyHex}`)).status, 404)
    })

    const some = ed25519()
    const bad: [string, Record<string, unknown>, { path: string }][] = [
      ['a missing DID', { keys: [{ privateKeyHex: some.privateKeyHex }] }, { path: 'did' }],
      ['what is not a DID', { did: 'hello' }, { path: 'did' }],
      [
        'a DID that does not resolve',
        {
          did: 'did:cheqd:testnet:6fa85f64-5717-4562-b3fc-2c963f66afa6',
          keys: [{ privateKeyHex: some.privateKeyHex }],
        },
        { path: 'did' },
      ],
      [
        'a DID of an unknown method',
        { did: 'did:unheard:of', keys: [{ privateKeyHex: some.privateKeyHex }] },
        { path: 'did' },
      ],
      [
        'keys that are not a list of objects',
        { did: 'did:cheqd:testnet:6fa85f64-5717-4562-b3fc-2c963f66afa6', keys: ['abc'] },
        { path: 'keys[0]' },
      ],
    ]
    for (const [title, body, refusal] of bad) {
      it(`refuses ${title}`, () => refusedInBothEncodings(client(), '/did/import', body, refusal))
    }
  })
}
