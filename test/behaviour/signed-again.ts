import assert from 'node:assert/strict'
import { createDid, createList, membersOf, listTypesOn, type Setup } from './suite.js'

interface Signed {
  signed: boolean
  validUntil?: string
  resource: Record<string, unknown>
  resourceMetadata: { resourceId: string; previousVersionId: string | null; resourceType: string }
}

const SIGN = '/credential-status/sign'

/** Lists that are signed again on demand. Before they lapse: `test/renewal.slow.test.ts`. */
export function signedAgainSuite(setup: Setup): void {
  const { client, stranger, service } = setup
  const sign = (listType: string, list: object, more: object = {}) =>
    client().ok('POST', SIGN, { query: { listType }, json: { ...list, ...more } }) as Promise<Signed>
  const read = (listType: string, { did, statusListName }: { did: string; statusListName: string }) =>
    client().ok('GET', '/credential-status/search', {
      query: { did, statusListName, listType },
    }) as Promise<Signed>

  for (const listType of listTypesOn(setup)) {
    it(`has the same content: ${listType}`, async () => {
      const list = await createList(client(), { listType })
      await client().ok('POST', '/credential-status/update/unencrypted', {
        query: { listType, statusAction: 'revoke' },
        json: { ...list, indices: [3, 70_000] },
      })
      const before = await read(listType, list)
      const signed = await sign(listType, list)
      assert.deepEqual(Object.keys(signed).sort(), membersOf(setup, 'resource', 'resourceMetadata', 'signed'))
      assert.equal(signed.signed, true)
      assert.equal(signed.resourceMetadata.previousVersionId, before.resourceMetadata.resourceId)
      const { results } = (await client().ok('POST', '/credential-status/check', {
        query: { listType, statusPurpose: 'revocation' },
        json: { ...list, indices: [3, 4, 70_000] },
      })) as { results: { revoked: boolean }[] }
      assert.deepEqual(
        results.map(({ revoked }) => revoked),
        [true, false, true],
      )
    })
  }

  it('is not published if the current key signed it already and nothing else was requested', async () => {
    const list = await createList(client())
    const before = await read('BitstringStatusList', list)
    const { signed, resourceMetadata } = await sign('BitstringStatusList', list, { onlyOtherKeys: true })
    assert.equal(signed, false)
    assert.equal(resourceMetadata.resourceId, before.resourceMetadata.resourceId)
  })

  it('is valid for the same span again', async () => {
    const until = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const list = await createList(client(), { body: { validUntil: until(30) } })
    const { validUntil = '' } = await sign('BitstringStatusList', list)
    assert.ok(validUntil >= until(29) && validUntil <= until(30), validUntil)
  })

  it('appears in the audit trail and in the events', async () => {
    const did = await createDid(client())
    const list = await createList(client(), { did })
    const { resourceMetadata } = await sign('BitstringStatusList', list)
    const rows = await service().audited({ event: 'resource-updated' })
    const row = rows.find(({ subject }) => subject?.endsWith(resourceMetadata.resourceId))
    assert.deepEqual((JSON.parse(row?.detail ?? '{}') as { actions?: string[] }).actions, ['sign'])
  })

  it('must exist and belong to the account', async () => {
    const list = await createList(client())
    const foreign = await stranger().post(SIGN, { query: { listType: 'BitstringStatusList' }, json: list })
    assert.equal(foreign.status, 400)
    assert.equal((foreign.body as { code: string }).code, 'did_not_found')
    const none = await client().post(SIGN, {
      query: { listType: 'BitstringStatusList' },
      json: { ...list, statusListName: 'none' },
    })
    assert.equal((none.body as { code: string }).code, 'list_not_found')
  })
}
