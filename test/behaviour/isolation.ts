import assert from 'node:assert/strict'
import type { Answer } from '../support/client.js'
import { ed25519 } from './keys-and-import.js'
import { createDid, createList, freshName, type Setup } from './suite.js'

interface Attempt {
  path: string
  query?: Record<string, string>
  /** the body, with the identifier of another account or of nobody */
  body: (foreign: { did: string; kid: string }) => Record<string, unknown>
}

const NOBODY = { did: 'did:cheqd:testnet:bfa85f64-5717-4562-b3fc-2c963f66afa6', kid: 'ab'.repeat(32) }

/** Objects of another account look exactly like missing ones, and nothing is written. */
export function isolationSuite({ client, stranger }: Setup): void {
  let theirs: { did: string; kid: string }
  let credential: string
  before(async () => {
    const { kid } = (await client().ok('POST', '/key/create', { query: { type: 'Ed25519' } })) as {
      kid: string
    }
    theirs = { did: await createDid(client(), { key: kid }), kid }
    const holder = await createDid(stranger())
    const issued = (await stranger().ok('POST', '/credential/issue', {
      json: { issuerDid: holder, subjectDid: holder, attributes: { a: 1 } },
    })) as { proof: { jwt: string } }
    credential = issued.proof.jwt
  })

  const attempts: Record<string, Attempt> = {
    'create a DID with their key': {
      path: '/did/create',
      body: ({ kid }) => ({ network: 'testnet', key: kid }),
    },
    'create a list on their DID': {
      path: '/credential-status/create/unencrypted',
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      body: ({ did }) => ({ did, statusListName: 'mine-now' }),
    },
    'update a list of their DID': {
      path: '/credential-status/update/unencrypted',
      query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
      body: ({ did }) => ({ did, statusListName: 'theirs', indices: [1] }),
    },
    'issue as their DID': {
      path: '/credential/issue',
      body: ({ did }) => ({ issuerDid: did, subjectDid: did, attributes: { a: 1 } }),
    },
    'present as their DID': {
      path: '/presentation/create',
      body: ({ did }) => ({ credentials: [credential], holderDid: did }),
    },
  }
  for (const [title, { path, query, body }] of Object.entries(attempts)) {
    it(`does not let another account ${title}, or learn that it exists`, async () => {
      const call = (foreign: typeof theirs) =>
        stranger().post(path, { ...(query && { query }), json: body(foreign) })
      const foreign = await call(theirs)
      const nobody = await call(NOBODY)
      assert.equal(foreign.status, 400)
      assert.deepEqual(anonymous(foreign, theirs), anonymous(nobody, NOBODY))
    })
  }

  it('does not let anybody take over a DID with a wrong key', async () => {
    const body = { did: theirs.did, keys: [{ privateKeyHex: ed25519().privateKeyHex }] }
    const { status } = await stranger().post('/did/import', { json: body })
    assert.equal(status, 400)
    await client().ok('POST', '/credential/issue', {
      json: { issuerDid: theirs.did, subjectDid: theirs.did, attributes: { a: 1 } },
    })
  })

  it('allows both accounts lists of the same name', async () => {
    const statusListName = freshName('list')
    for (const account of [client(), stranger()]) {
      const list = await createList(account)
      await account.ok('POST', '/credential-status/create/unencrypted', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { did: list.did, statusListName },
      })
    }
  })

  it('refuses fields that could select another account', async () => {
    const { status, body } = await client().post('/did/create', {
      json: { network: 'testnet', account: 'stranger', accountId: 'x', userId: 1 },
    })
    assert.equal(status, 400)
    assert.equal((body as { details: unknown[] }).details.length, 3)
  })
}

/** A response without the parts that depend on the submitted identifiers. */
function anonymous({ body }: Answer, { did, kid }: typeof NOBODY): unknown {
  const { requestId: _requestId, ...others } = body as Record<string, unknown>
  return JSON.parse(JSON.stringify(others).replaceAll(did, '<did>').replaceAll(kid, '<kid>')) as unknown
}
