import assert from 'node:assert/strict'
import { ed25519 } from './keys-and-import.js'
import { createDid, freshName, type Setup } from './suite.js'

/** Acknowledged writes are present and usable afterwards, however many clients write concurrently. */
export function lossSuite({ client, stranger }: Setup): void {
  it('lose no acknowledged DID of 20 clients while imports with taken aliases fail', async () => {
    const taken = freshName('alias')
    await client().ok('POST', '/key/import', {
      json: { privateKeyHex: ed25519().privateKeyHex, alias: taken },
    })
    const providers = ['did:cheqd', 'did:key', 'did:jwk']
    const acknowledged: string[] = []
    const one = async (n: number) => {
      for (let round = 0; round < 6; round++) {
        const failing = client().post('/key/import', {
          json: { privateKeyHex: ed25519().privateKeyHex, alias: taken },
        })
        const providerId = providers[(n + round) % providers.length]
        const { status, body } = await client().post('/did/create', {
          json: providerId === 'did:cheqd' ? { network: 'testnet', providerId } : { providerId },
        })
        assert.equal(status, 200, JSON.stringify(body))
        acknowledged.push((body as { did: string }).did)
        assert.equal((await failing).status, 400)
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => one(n)))
    const { dids } = (await client().ok('GET', '/did/list', { query: { limit: '1000' } })) as {
      dids: string[]
    }
    const known = new Set(dids)
    for (const did of acknowledged) {
      assert.ok(known.has(did), `${did} is lost`)
      await client().ok('POST', '/credential/issue', {
        json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
      })
    }
  })

  it('assign an alias to one of many keys that request it', async () => {
    const alias = freshName('alias')
    const pairs = Array.from({ length: 20 }, ed25519)
    const answers = await Promise.all(
      pairs.map(({ privateKeyHex }) => client().post('/key/import', { json: { privateKeyHex, alias } })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const [n, { status }] of answers.entries()) {
      const read = await client().get(`/key/read/${pairs[n]?.publicKeyHex}`)
      assert.equal(read.status, status === 200 ? 200 : 404)
    }
  })

  it('create a DID document once', async () => {
    const id = 'did:cheqd:testnet:afa85f64-5717-4562-b3fc-2c963f66afa6'
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? client() : stranger()).post('/did/create', { json: { didDocument: { id } } }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status, body } of answers) {
      if (status !== 200) assert.equal((body as { code: string }).code, 'did_taken')
    }
  })

  it('let two accounts hold the same key, each unaffected when the other creates a DID with it', async () => {
    const { privateKeyHex, publicKeyHex } = ed25519()
    for (const account of [client(), stranger()]) {
      await account.ok('POST', '/key/import', { json: { privateKeyHex } })
    }
    const mine = await createDid(client(), { key: publicKeyHex })
    const theirs = await createDid(stranger(), { key: publicKeyHex })
    for (const [account, did] of [
      [client(), mine],
      [stranger(), theirs],
    ] as const) {
      await account.ok('POST', '/credential/issue', {
        json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
      })
    }
  })
}
