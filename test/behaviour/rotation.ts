import assert from 'node:assert/strict'
import { OutsideVerifier } from '../support/outside-verifier.js'
import { until } from '../support/until.js'
import { auditedOf, createDid, createList, type Setup, unknownDid } from './suite.js'

export interface Rotated {
  did: string
  state: string
  key: string
  kms: string
  formerKey: string
  signedLists: number
  signsSince?: string
  removesAt?: string
  endedAt?: string
}

interface Resolved {
  verificationMethod: { id: string }[]
  assertionMethod: string[]
  authentication: string[]
}

const LISTS = [
  { listType: 'BitstringStatusList', type: 'BitstringStatusListCredential' },
  { listType: 'TokenStatusList', type: 'TokenStatusList' },
]

/** One operation lets another key sign for a DID. With processes that are killed: `test/rotation.slow.test.ts`. */
export function rotationSuite(setup: Setup): void {
  const { client, stranger, service } = setup
  const post = (json: object) => client().post('/did/rotate-key', { json })
  const rotationOf = async (did: string) => (await client().ok('GET', `/did/rotations/${did}`)) as Rotated
  /** as it is when it waits, or has ended */
  const settled = async (did: string): Promise<Rotated> => {
    let rotation = await rotationOf(did)
    await until(async () => {
      rotation = await rotationOf(did)
      return rotation.state === 'waiting' || rotation.endedAt !== undefined
    })
    return rotation
  }
  const rotate = async (json: { did: string; [name: string]: unknown }): Promise<Rotated> => {
    const { status, body } = await post(json)
    const { state } = body as Rotated
    assert.equal(status, state === 'adding' || state === 'signing' ? 202 : 200, JSON.stringify(body))
    return settled(json.did)
  }
  const documentOf = async (did: string) =>
    ((await client().ok('GET', `/did/search/${did}`)) as { didDocument: Resolved }).didDocument
  const withLists = async () => {
    const did = await createDid(client())
    const lists = await Promise.all(
      LISTS.map(async ({ listType, type }) => ({
        ...(await createList(client(), { did, listType })),
        type,
        listType,
      })),
    )
    return { did, lists }
  }
  const verifier = () => new OutsideVerifier(service().url)

  it('adds a new key, re-signs every list with it, and keeps the former one until told otherwise', async () => {
    const { did, lists } = await withLists()
    const { assertionMethod: before } = await documentOf(did)
    const rotation = await rotate({ did })
    assert.equal(rotation.state, 'waiting')
    assert.equal(rotation.signedLists, lists.length)
    assert.equal(rotation.kms, 'local')
    assert.ok(rotation.signsSince)
    assert.equal(rotation.removesAt, undefined)
    const document = await documentOf(did)
    assert.deepEqual(document.assertionMethod.slice(1), before)
    assert.deepEqual(document.authentication, document.assertionMethod)
    for (const { statusListName, type } of lists) {
      const { kid } = await verifier().accepts(did, statusListName, type)
      assert.equal(kid, document.assertionMethod[0])
    }

    const ended = await rotate({ did, gracePeriod: 'PT0S' })
    assert.equal(ended.key, rotation.key)
    await until(async () => (await rotationOf(did)).state === 'done')
    assert.deepEqual((await documentOf(did)).assertionMethod, [document.assertionMethod[0]])
    for (const { statusListName, type } of lists) await verifier().accepts(did, statusListName, type)
    const { keys, controllerKeyId } = (await client().ok('GET', `/did/read/${did}`)) as {
      keys: { kid: string }[]
      controllerKeyId: string
    }
    assert.deepEqual([keys.map(({ kid }) => kid), controllerKeyId], [[rotation.key], rotation.key])
    await client().ok('GET', `/key/read/${rotation.formerKey}`)
  })

  it('removes the former key immediately without a grace period, and uses a key that the caller names', async () => {
    const did = await createDid(client())
    const { kid: key } = (await client().ok('POST', '/key/create', { json: {} })) as { kid: string }
    const rotation = await rotate({ did, key, gracePeriod: 'PT0S' })
    assert.deepEqual([rotation.state, rotation.key], ['done', key])
    assert.equal((await documentOf(did)).verificationMethod.length, 1)
    assert.ok((await auditedOf(client(), did)).includes('did-rotated'))
    const again = await rotate({ did, gracePeriod: 'PT0S' })
    assert.equal(again.formerKey, key)
    assert.notEqual(again.key, key)
  })

  it('reports when the grace period ends', async () => {
    const did = await createDid(client())
    const { state, signsSince = '', removesAt = '' } = await rotate({ did, gracePeriod: 'P30D' })
    assert.equal(state, 'waiting')
    assert.equal(Date.parse(removesAt) - Date.parse(signsSince), 30 * 86_400_000)
  })

  it('is exclusive: a repeated request gets the same rotation, and another key or KMS is refused', async () => {
    const did = await createDid(client())
    const { kid } = (await client().ok('POST', '/key/create', { json: {} })) as { kid: string }
    const answers = await Promise.all([post({ did }), post({ did }), post({ did })])
    const keys = new Set(answers.map(({ body }) => (body as Rotated).key))
    assert.equal(keys.size, 1, JSON.stringify(answers))
    for (const [path, json] of Object.entries({ key: { did, key: kid }, kms: { did, kms: 'other' } })) {
      const { status, body } = await post(json)
      assert.equal(status, 400)
      assert.equal((body as { details: { path: string }[] }).details[0]?.path, path)
    }
    await settled(did)
  })

  it('keeps earlier credentials valid while the former key stays, but no longer', async () => {
    const did = await createDid(client())
    const issue = async () => {
      const json = { issuerDid: did, attributes: { name: 'Bob' } }
      return ((await client().ok('POST', '/credential/issue', { json })) as { proof: { jwt: string } }).proof
        .jwt
    }
    const verified = async (credential: string) =>
      ((await client().ok('POST', '/credential/verify', { json: { credential } })) as { verified: boolean })
        .verified
    const before = await issue()
    await rotate({ did })
    const after = await issue()
    assert.deepEqual([await verified(before), await verified(after)], [true, true])
    await rotate({ did, gracePeriod: 'PT0S' })
    await until(async () => (await rotationOf(did)).state === 'done')
    assert.deepEqual([await verified(before), await verified(after)], [false, true])
  })

  it('appears in the audit trail and in the events', async () => {
    const did = await createDid(client())
    const { key } = await rotate({ did })
    const rows = await service().audited({ event: 'did-rotation-begun', limit: 1000 })
    const begun = rows.find(({ subject }) => subject === did)
    assert.deepEqual([begun?.subject, JSON.parse(begun?.detail ?? '{}')], [did, { key, kms: 'local' }])
    const told = async () => {
      const query = { type: 'did.rotated', limit: '1000' }
      const { events } = (await client().ok('GET', '/account/events', { query })) as {
        events: { subject: string; data: unknown }[]
      }
      return events.filter(({ subject }) => subject === did).map(({ data }) => data)
    }
    await until(async () => (await told()).length > 0)
    assert.deepEqual(await told(), [{ key }])
  })

  it('is also available on the command line', async () => {
    const { did, lists } = await withLists()
    const printed = await service().command('did', 'rotate-key', did, '--account', 'default', '--json')
    const rotation = JSON.parse(printed) as Rotated
    assert.deepEqual([rotation.state, rotation.signedLists], ['waiting', lists.length])
    const said = await service().command(
      'did',
      'rotate-key',
      did,
      '--account',
      'default',
      '--grace-period',
      'PT0S',
    )
    assert.ok(said.includes(`${rotation.key} now signs`), said)
    await until(async () => (await rotationOf(did)).state === 'done')
  })

  it('is refused with one sentence for anything that cannot be rotated', async () => {
    const { did: keyDid } = (await client().ok('POST', '/did/create', {
      json: { providerId: 'did:key' },
    })) as { did: string }
    const refusals = {
      did: [{ did: keyDid }, { did: unknownDid }],
      key: [{ did: await createDid(client()), key: 'ab'.repeat(32) }],
      kms: [{ did: await createDid(client()), kms: 'none' }],
      gracePeriod: [{ did: unknownDid, gracePeriod: '30' }],
    }
    for (const [path, bodies] of Object.entries(refusals)) {
      for (const json of bodies) {
        const { status, body } = await post(json)
        assert.equal(status, 400, JSON.stringify([json, body]))
        assert.equal((body as { details: { path: string }[] }).details[0]?.path, path, JSON.stringify(body))
      }
    }
    assert.equal((await client().get(`/did/rotations/${keyDid}`)).status, 404)
    const did = await createDid(client())
    assert.equal((await stranger().post('/did/rotate-key', { json: { did } })).status, 400)
    assert.equal((await stranger().get(`/did/rotations/${did}`)).status, 404)
  })
}
