import assert from 'node:assert/strict'
import type { Client } from '../support/client.js'
import { createDid, createList, freshName, itSays, membersOf, listTypesOn, type Setup } from './suite.js'

interface List {
  did: string
  statusListName: string
}

interface Updated {
  updated: boolean
  changed: number[]
  published?: boolean
  visibleFrom?: string
  publication?: string
  receipt?: string
  resourceMetadata: { resourceId: string; resourceVersion: string; previousVersionId: string | null }
}

interface Found {
  publishEvery?: string
  always?: boolean
  waiting?: number
  visibleFrom?: string
  resourceMetadata: { resourceId: string; previousVersionId: string | null }
}

const HOUR_MS = 3_600_000

/** Lists that publish at intervals, as far as nobody waits for a beat; for those see `test/paced-lists.slow.test.ts`. */
export function pacedListSuite(setup: Setup): void {
  const { client, stranger, service } = setup
  const hourly = (listType = 'BitstringStatusList', more: object = {}) =>
    createList(client(), { listType, body: { publishEvery: 'PT1H', ...more } })
  const update = async (list: List, statusAction: string, indices: number[], more: object = {}) => {
    const { listType = 'BitstringStatusList', encrypted = false, ...body } = more as Record<string, unknown>
    return (await client().ok('POST', `/credential-status/update/${encrypted ? '' : 'un'}encrypted`, {
      query: { listType: String(listType), statusAction },
      json: { ...list, indices, ...body },
    })) as Updated
  }
  const search = (list: List, by: Client = client(), listType = 'BitstringStatusList') =>
    by.ok('GET', '/credential-status/search', { query: { ...list, listType } }) as Promise<Found>
  const revokedIn = async (list: List, indices: number[], more: object = {}) => {
    const {
      listType = 'BitstringStatusList',
      purpose = 'revocation',
      ...body
    } = more as Record<string, string>
    const { results } = (await client().ok('POST', '/credential-status/check', {
      query: { listType, statusPurpose: purpose },
      json: { ...list, indices, ...body },
    })) as { results: { index: number; valid: boolean }[] }
    return results.filter(({ valid }) => !valid).map(({ index }) => index)
  }
  const refused = async (path: string, query: Record<string, string>, json: object, by = client()) => {
    const { status, body } = await by.post(path, { query, json })
    assert.equal(status, 400)
    const { code, details = [] } = body as { code: string; details?: { path: string; message: string }[] }
    return { code, paths: details.map((detail) => detail.path), message: details[0]?.message ?? '' }
  }

  for (const listType of listTypesOn(setup)) {
    it(`stores changes of a ${listType}, and shows the version that is published now`, async () => {
      const list = await hourly(listType)
      const before = await search(list, client(), listType)
      const answer = await update(list, 'revoke', [7, 94, 7], { listType })
      assert.deepEqual(
        Object.keys(answer).sort(),
        membersOf(
          { ...setup, networks: () => undefined },
          'updated',
          'changed',
          'revoked',
          'published',
          'visibleFrom',
          'resource',
          'resourceMetadata',
        ),
      )
      assert.deepEqual([answer.updated, answer.changed, answer.published], [true, [7, 94], false])
      const inMs = Date.parse(answer.visibleFrom ?? '') - Date.now()
      assert.ok(inMs > 0 && inMs <= HOUR_MS, answer.visibleFrom)
      assert.equal(answer.resourceMetadata.resourceId, before.resourceMetadata.resourceId)
      assert.deepEqual(await revokedIn(list, [7, 94], { listType }), [])
      assert.deepEqual(await revokedIn(list, [7, 94], { listType, state: 'published' }), [])
      assert.deepEqual(await revokedIn(list, [7, 94, 95], { listType, state: 'stored' }), [7, 94])
      const found = await search(list, client(), listType)
      assert.equal(found.resourceMetadata.resourceId, before.resourceMetadata.resourceId)
      assert.deepEqual([found.publishEvery, found.always, found.waiting], ['PT1H', false, 2])
      assert.equal(found.visibleFrom, answer.visibleFrom)
    })
  }

  it('answers a repeated call alike, and refuses what the stored state does not allow', async () => {
    const list = await hourly('BitstringStatusList')
    const first = await update(list, 'revoke', [3])
    const again = await update(list, 'revoke', [3])
    assert.deepEqual([again.changed, again.published], [[], false])
    assert.equal(again.visibleFrom, first.visibleFrom)
    const query = { listType: 'BitstringStatusList', statusAction: 'reinstate' }
    const { code } = await refused('/credential-status/update/unencrypted', query, {
      ...list,
      indices: [4, 3],
    })
    assert.equal(code, 'irreversible')
    assert.deepEqual(await revokedIn(list, [3, 4], { state: 'stored' }), [3])
  })

  it('says of a change that is published already that it is', async () => {
    const list = await hourly()
    await update(list, 'revoke', [3], { statusListVersion: '2' })
    const { changed, published, visibleFrom } = await update(list, 'revoke', [3])
    assert.deepEqual([changed, published, visibleFrom], [[], true, undefined])
  })

  for (const [what, more] of [
    ['a receipt', { receipt: true }],
    ['a version of its own', { statusListVersion: 'mine' }],
  ] as const) {
    it(`publishes at once with ${what}, together with what was stored before`, async () => {
      const list = await hourly()
      const { resourceMetadata: before } = await search(list)
      await update(list, 'revoke', [1, 2])
      const answer = await update(list, 'revoke', [3], more)
      assert.deepEqual([answer.changed, answer.published, answer.visibleFrom], [[3], true, undefined])
      assert.equal(answer.resourceMetadata.previousVersionId, before.resourceId)
      assert.deepEqual(await revokedIn(list, [1, 2, 3, 4]), [1, 2, 3])
      const found = await search(list)
      assert.deepEqual([found.waiting, found.visibleFrom], [0, undefined])
      if (!('receipt' in more)) return
      const verdict = await stranger().ok('POST', '/credential-status/receipts/verify', {
        json: { receipt: answer.receipt },
      })
      assert.equal((verdict as { verified: boolean }).verified, true)
    })
  }

  it('signs one version with all of it when it is signed again', async () => {
    const list = await hourly()
    await update(list, 'revoke', [5])
    await client().ok('POST', '/credential-status/sign', {
      query: { listType: 'BitstringStatusList' },
      json: list,
    })
    assert.deepEqual(await revokedIn(list, [5, 6]), [5])
    assert.equal((await search(list)).waiting, 0)
  })

  it('keeps only the newest change of an entry', async () => {
    const list = await createList(client(), {
      statusPurpose: 'suspension',
      body: { publishEvery: 'PT1H' },
    })
    const { resourceMetadata: before } = await search(list)
    await update(list, 'suspend', [1, 2])
    await update(list, 'reinstate', [1])
    assert.deepEqual(await revokedIn(list, [1, 2], { purpose: 'suspension', state: 'stored' }), [2])
    await update(list, 'reinstate', [2])
    const { resourceMetadata } = await update(list, 'reinstate', [3], { statusListVersion: '2' })
    // as it was before: there is nothing to publish
    assert.equal(resourceMetadata.resourceId, before.resourceId)
    assert.equal((await search(list)).waiting, 0)
  })

  it('keeps what waits of an encrypted list from those who read the database', async () => {
    const did = await createDid(client())
    const list = { did, statusListName: freshName('paced') }
    const listType = 'BitstringStatusList'
    await client().ok('POST', '/credential-status/create/encrypted', {
      query: { listType, statusPurpose: 'revocation' },
      json: { ...list, publishEvery: 'PT1H' },
    })
    const answer = await update(list, 'revoke', [9], { encrypted: true })
    assert.equal(answer.published, false)
    assert.deepEqual(await revokedIn(list, [9, 10], { state: 'stored' }), [9])
    await update(list, 'revoke', [11], { encrypted: true, statusListVersion: '2' })
    assert.deepEqual(await revokedIn(list, [9, 10, 11]), [9, 11])
  })

  it('never hands out an index that is set but not published', async () => {
    const did = await createDid(client())
    const list = { did, statusListName: freshName('paced') }
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: { ...list, publishEvery: 'PT1H' },
    })
    await update(list, 'revoke', [40])
    const { status, body } = await client().post('/credential/issue', {
      json: {
        issuerDid: did,
        attributes: { name: 'Alice' },
        credentialStatus: { statusListName: list.statusListName, statusListIndex: 40 },
      },
    })
    assert.equal(status, 400)
    assert.equal((body as { code: string }).code, 'index_taken')
  })

  it('is revoked by credential and by its id, which wait as well', async () => {
    const did = await createDid(client())
    const list = { did, statusListName: freshName('paced') }
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: { ...list, publishEvery: 'PT1H' },
    })
    const issue = async () =>
      (await client().ok('POST', '/credential/issue', {
        json: {
          issuerDid: did,
          attributes: { name: 'Alice' },
          credentialStatus: { statusListName: list.statusListName },
        },
      })) as { id: string; proof: { jwt: string } }
    const [one, other] = [await issue(), await issue()]
    for (const json of [{ credential: one.proof.jwt }, { credentialId: other.id }]) {
      const revoked = (await client().ok('POST', '/credential/revoke', { json })) as Updated & {
        index: number
      }
      assert.deepEqual([revoked.published, revoked.changed], [false, [revoked.index]])
      assert.deepEqual(await revokedIn(list, [revoked.index], { state: 'stored' }), [revoked.index])
    }
    const { verified } = (await client().ok('POST', '/credential/verify', {
      json: { credential: one.proof.jwt },
    })) as { verified: boolean }
    assert.equal(verified, true)
    assert.equal((await search(list)).waiting, 2)
  })

  it('has one row in the audit trail and one event for its version, not for each call', async () => {
    const list = await hourly()
    for (const index of [1, 2, 3]) await update(list, 'revoke', [index])
    const { resourceMetadata } = await update(list, 'revoke', [4], { receipt: true })
    const rows = await service().audited({ event: 'resource-updated' })
    const own = rows.filter(({ subject }) => subject?.startsWith(list.did))
    assert.deepEqual(
      own.map(({ subject }) => subject?.split('/').at(-1)),
      [resourceMetadata.resourceId],
    )
  })

  it('shows its pace and what waits to its publisher alone', async () => {
    const list = await hourly()
    await update(list, 'revoke', [1])
    const { publishEvery, waiting, visibleFrom } = await search(list, stranger())
    assert.deepEqual([publishEvery, waiting, visibleFrom], [undefined, undefined, undefined])
    const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
    const json = { ...list, index: 1, state: 'stored' }
    const { code } = await refused('/credential-status/check', query, json, stranger())
    assert.equal(code, 'did_not_found')
  })

  it('is work that waits for the next beat, until nothing waits any more', async () => {
    const list = await hourly()
    const work = async () => {
      const { items } = (await client().ok('GET', '/work', { query: { kind: 'slot', limit: '1000' } })) as {
        items: { subject: string; state: string; since: string; dueAt: string; can: string[] }[]
      }
      return items.filter(({ subject }) => subject.startsWith(`${list.did}?`))
    }
    assert.deepEqual(await work(), [])
    const { visibleFrom } = await update(list, 'revoke', [1])
    const [item = assert.fail(), ...others] = await work()
    assert.deepEqual(
      [item.state, item.since, item.dueAt, item.can, others],
      ['waiting', visibleFrom, visibleFrom, [], []],
    )
    await client().ok('POST', '/credential-status/sign', {
      query: { listType: 'BitstringStatusList' },
      json: list,
    })
    assert.deepEqual(await work(), [])
  })

  it('publishes what waits before its DID is deactivated', async () => {
    const list = await hourly()
    await update(list, 'revoke', [1])
    await client().ok('POST', `/did/deactivate/${list.did}`, { json: {} })
    const { statusLists } = (await client().ok('GET', '/credential-status/list', {
      query: { did: list.did },
    })) as { statusLists: { versions: number }[] }
    assert.deepEqual(
      statusLists.map(({ versions }) => versions),
      [2],
    )
  })

  itSays(setup, 'refuses a pace that it cannot keep', async () => {
    const did = await createDid(client())
    const create = (json: object) =>
      refused(
        '/credential-status/create/unencrypted',
        { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        { did, statusListName: freshName('paced'), ...json },
      )
    for (const [given, message] of [
      [60, 'must be an ISO 8601 duration; 60 seconds are PT1M'],
      ['PT0S', 'must be from PT1S to P31D, in weeks, days, hours, minutes and seconds'],
      ['P1M', 'must be from PT1S to P31D, in weeks, days, hours, minutes and seconds'],
      ['P32D', 'must be from PT1S to P31D, in weeks, days, hours, minutes and seconds'],
      ['often', 'must be an ISO 8601 duration such as PT15M or P3M'],
    ] as const) {
      const refusal = await create({ publishEvery: given })
      assert.deepEqual([refusal.paths, refusal.message], [['publishEvery'], message], String(given))
    }
    const { paths, message } = await create({ always: true })
    assert.deepEqual([paths, message], [['always'], 'is only possible with publishEvery'])
  })

  it('does not wait for the publication of a later version', async () => {
    const { body } = await client().post('/credential-status/update/unencrypted', {
      query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
      json: { ...(await hourly()), indices: [1], publication: 'wait' },
    })
    const { publication, code } = body as { publication?: string; code?: string }
    assert.ok(publication === 'pending' || code === 'invalid_input', JSON.stringify(body))
  })
}
