import assert from 'node:assert/strict'
import { refused } from '../refused.js'
import { createTestAgent, newKey, setKey } from '../test-agent.js'

const listType = 'BitstringStatusList'
const resourceType = 'BitstringStatusListCredential'

async function setup() {
  const test = createTestAgent()
  const key = await test.createDid()
  const { did } = key
  const newList = (statusListName: string) =>
    test.scoped((agent) =>
      agent.statusListCreate({ did, statusListName, listType, statusPurpose: 'revocation' }),
    )
  const update = (indices: number[], statusListName = 'list') =>
    test.scoped((agent) =>
      agent.statusListUpdate({ did, statusListName, listType, statusAction: 'revoke', indices }),
    )
  const check = (index: number, statusListName = 'list') =>
    test.agent.statusListCheck({ did, statusListName, listType, statusPurpose: 'revocation', index })
  await newList('list')
  const named = (resourceName = 'list') => ({ did, resourceName, resourceType })
  return { ...test, key, did, newList, update, check, named }
}

/** The same JWT with another payload and the old signature. */
const forge = (jwt: string, change: (payload: string) => string): string => {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const changed = change(Buffer.from(payload, 'base64url').toString())
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.')
}

describe('a list with an invalid signature', () => {
  it('never reads as "not revoked", and no update re-signs it', async () => {
    const { update, check, ledger, named, agent, did } = await setup()
    await update([5])
    const revoked = ledger.newestText(named())
    const empty = Buffer.from(ledger.history(named())[0]?.data ?? '', 'base64url').toString()
    const [, emptyPayload = ''] = empty.split('.')
    ledger.tamper(named(), (jwt) => forge(jwt, () => Buffer.from(emptyPayload, 'base64url').toString()))
    for (let time = 0; time < 2; time++) {
      await refused(() => check(5), { code: 'invalid_credential', says: /does not verify/ })
    }
    await refused(() => update([6]), { code: 'invalid_credential' })
    await refused(() => agent.statusListSearch({ did, statusListName: 'list', listType }), {
      code: 'invalid_credential',
    })
    ledger.tamper(named(), () => revoked)
    assert.equal((await check(5)).revoked, true)
  })

  it('is refused if signed by another DID', async () => {
    const { check, ledger, named, createDid, scoped } = await setup()
    const other = await createDid()
    await scoped((agent) =>
      agent.statusListCreate({
        did: other.did,
        statusListName: 'list',
        listType,
        statusPurpose: 'revocation',
      }),
    )
    const foreign = ledger.newestText({ did: other.did, resourceName: 'list', resourceType })
    ledger.appendText(named(), foreign)
    await refused(() => check(5), { code: 'invalid_credential', says: /its issuer is/ })
  })

  it('is refused if the publisher signed it for another list', async () => {
    const { newList, update, check, ledger, named } = await setup()
    await newList('other')
    await update([5])
    ledger.appendText(named(), ledger.newestText(named('other')))
    await refused(() => check(5), { code: 'invalid_credential', says: /claims to be the list/ })
  })

  it("is refused if the named key is not the publisher's", async () => {
    const { update, ledger, named } = await setup()
    ledger.tamper(named(), (jwt) => {
      const [, payload = '', signature = ''] = jwt.split('.')
      const header = { typ: 'vc+jwt', alg: 'EdDSA', kid: 'did:cheqd:testnet:someone#key-1' }
      return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.')
    })
    await refused(() => update([6]), { code: 'invalid_credential' })
  })
})

describe('a list signed with a key that the publisher removed', () => {
  it('cannot be checked until an update re-signs it, keeping its bits', async () => {
    const { update, check, did, ledger, named } = await setup()
    await update([5])
    const next = newKey(did, 'key-2')
    setKey(ledger, next)
    // another process has never seen the list
    const other = createTestAgent({ ledger })
    const elsewhere = () =>
      other.agent.statusListCheck({
        did,
        statusListName: 'list',
        listType,
        statusPurpose: 'revocation',
        index: 5,
      })
    await refused(elsewhere, { code: 'invalid_credential' })
    await other.importDid(next)
    const updateElsewhere = (indices: number[]) =>
      other.scoped((a) =>
        a.statusListUpdate({ did, statusListName: 'list', listType, statusAction: 'revoke', indices }),
      )
    await refused(() => updateElsewhere([131_072]), { code: 'index_out_of_range' })
    await other.plugin.lifecycle.stop?.()
    assert.equal(ledger.history(named()).length, 2)
    const { changed } = await updateElsewhere([5])
    assert.deepEqual(changed, [])
    assert.equal(ledger.history(named()).length, 3)
    assert.equal((await elsewhere()).revoked, true)
    assert.equal((await check(5)).revoked, true)
  })

  it('is no longer trusted even if it verified before', async () => {
    const { update, check, did, ledger, key } = await setup()
    await update([5])
    assert.equal((await check(5)).revoked, true)
    setKey(ledger, newKey(did, 'key-2'))
    await refused(() => check(5), { code: 'invalid_credential', says: /does not verify/ })
    setKey(ledger, key)
    assert.equal((await check(5)).revoked, true)
  })

  it('is no longer trusted once its publisher is deactivated', async () => {
    const { check, did, ledger } = await setup()
    const reader = createTestAgent({ ledger })
    const named = { did, statusListName: 'list', listType, statusPurpose: 'revocation', index: 5 }
    const elsewhere = () => reader.agent.statusListCheck(named)
    for (const look of [elsewhere, () => check(5)]) assert.equal((await look()).revoked, false)
    ledger.deactivated.add(did)
    for (const look of [elsewhere, () => check(5)]) await refused(look, { code: 'did_deactivated' })
  })
})
