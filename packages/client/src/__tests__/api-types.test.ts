import assert from 'node:assert/strict'
import { createClient, type ApiError, type AnswerOf, type Client } from '../index.js'

/** Compiles only where both are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>, ..._values: unknown[]) => undefined

/** Never called: the compiler is the one that looks. */
async function calls({ get, post, delete: remove }: Client) {
  const created = await post('/did/create', { body: { network: 'testnet' } })
  same<typeof created.did, string>(true)
  // @ts-expect-error a response has the documented members and no others
  void created.dids

  // @ts-expect-error an unknown network
  await post('/did/create', { body: { network: 'moonnet' } })
  // @ts-expect-error unknown fields are refused
  await post('/key/import', { body: { privateKey: '00' } })
  // @ts-expect-error a name that is not quite right is none that may be left out
  await post('/did/create', { body: { netwrk: 'testnet' } })
  // @ts-expect-error nor in the query
  await get('/did/list', { params: { query: { limt: 5 } } })
  // @ts-expect-error an unknown path
  await get('/did/listing')
  // @ts-expect-error this path takes another method
  await get('/did/create')
  // @ts-expect-error this path takes another method
  await remove('/did/list')
  // @ts-expect-error the path has a parameter
  await get('/did/search/{did}')
  // @ts-expect-error a required member cannot be omitted
  await post('/credential-status/check', { params: { query: { listType: 'StatusList2021' } } })

  // Members with a default may be omitted.
  const { dids, total } = await get('/did/list')
  same<typeof total, number>(true, total, dids)

  const text = await get('/did/list', { parseAs: 'text' })
  same<typeof text, string>(true, text)

  const checked = await post('/credential-status/check', {
    params: { query: { listType: 'StatusList2021', statusPurpose: 'revocation' } },
    body: { did: created.did, statusListName: 'a', index: 1 },
  })
  same<typeof checked.revoked, boolean | undefined>(true, checked)
  same<typeof checked, AnswerOf<'/credential-status/check', 'post'>>(true)
  const key = await post('/account/api-keys', { body: {} })
  same<typeof key.apiKey, string>(true, key)
}

describe('API types', () => {
  it('match the API document', () => {
    assert.equal(typeof calls, 'function')
    same<ApiError['code'], string>(true)
    // @ts-expect-error an address is needed
    assert.throws(() => createClient({}))
  })
})
