import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { StatusListCheckArgs } from '@vidimus/core-types'
import { setEntry } from '../../encoding/entries.js'
import { refused } from '../refused.js'
import { createTestAgent } from '../test-agent.js'

const WORDS = ['issued', 'revoked', 'suspended', 'unknown'].map((message, n) => ({
  status: `0x${n}`,
  message,
}))

/** A list as cheqd's tools publish it. */
function older(
  did: string,
  {
    bytes = 32_768,
    subject = {},
    metadata = {},
  }: { bytes?: number; subject?: object; metadata?: object } = {},
): string {
  const bits = new Uint8Array(bytes)
  setEntry(bits, { statusSize: 2, order: 'lsb-in-entry' }, 4, 1)
  setEntry(bits, { statusSize: 2, order: 'lsb-in-entry' }, 5, 2)
  return JSON.stringify({
    bitstringStatusListCredential: {
      issuer: { id: did },
      issuanceDate: '2025-01-01T00:00:00.000Z',
      credentialSubject: {
        type: 'BitstringStatusList',
        statusPurpose: ['revocation', 'suspension', 'message'],
        encodedList: gzipSync(bits).toString('base64url'),
        ...subject,
      },
      proof: { type: 'JwtProof2020', jwt: 'a.b.c' },
    },
    metadata: { encrypted: false, encoding: 'base64url', statusMessages: WORDS, ...metadata },
  })
}

async function setup({
  listType = 'BitstringStatusList',
  statusPurpose = 'revocation',
}: { listType?: string; statusPurpose?: string | string[] } = {}) {
  let now = new Date('2026-06-01T00:00:00Z')
  const test = createTestAgent({ options: { maxIndicesPerCall: 100 }, clock: () => now })
  const { did } = await test.createDid()
  const list = { did, statusListName: 'list', listType }
  await test.scoped((agent) =>
    agent.statusListCreate({
      ...list,
      statusPurpose,
      ...(listType !== 'StatusList2021' && { ttl: 1000 }),
      validUntil: '2026-07-01T00:00:00Z',
    }),
  )
  const update = (statusAction: string, indices: number[]) =>
    test.scoped((agent) => agent.statusListUpdate({ ...list, statusAction, indices }))
  // in no scope: checking is open to everybody
  const check = (args: Partial<StatusListCheckArgs>) =>
    test.agent.statusListCheck({ ...list, statusPurpose: [statusPurpose].flat()[0] ?? '', ...args })
  const at = (time: string) => {
    now = new Date(time)
  }
  return { ...test, did, list, update, check, at }
}

describe('checking a list', () => {
  it('answers a single index with all members at the top level', async () => {
    const { update, check } = await setup()
    await update('revoke', [0, 131_071])
    assert.deepEqual(await check({ index: 0 }), {
      checked: true,
      revoked: true,
      status: 1,
      valid: false,
      purpose: 'revocation',
      results: [{ index: 0, revoked: true, status: 1, valid: false }],
    })
    assert.equal((await check({ index: 131_071 })).revoked, true)
    assert.equal((await check({ indices: [1] })).revoked, false)
  })

  it('answers several indices with a summary flag and a result for each', async () => {
    const { update, check } = await setup({ statusPurpose: ['suspension', 'revocation'] })
    await update('suspend', [2])
    await update('revoke', [3])
    const answer = await check({ indexRangeStart: 1, indexRangeEnd: 3 })
    assert.deepEqual(answer, {
      checked: true,
      suspended: true,
      purpose: 'suspension',
      results: [
        { index: 1, suspended: false, status: 0, valid: true, message: 'valid' },
        { index: 2, suspended: true, status: 2, valid: false, message: 'suspended' },
        { index: 3, suspended: false, status: 1, valid: false, message: 'revoked' },
      ],
    })
    assert.equal((await check({ indices: [1, 3] })).suspended, false)
  })

  it('works with default options', async () => {
    for (const listType of ['StatusList2021', 'BitstringStatusList']) {
      const { update, check } = await setup({ listType })
      await update('revoke', [1])
      assert.equal((await check({ index: 1 })).revoked, true)
    }
  })

  const wrong: [string, Partial<StatusListCheckArgs>, code: string, path: string][] = [
    ['the length', { index: 131_072 }, 'index_out_of_range', 'index'],
    ['the length within a list', { indices: [1, 131_072] }, 'index_out_of_range', 'indices[1]'],
    [
      'a range beyond the end',
      { indexRangeStart: 131_071, indexRangeEnd: 131_072 },
      'index_out_of_range',
      'indexRangeEnd',
    ],
    ['-1', { index: -1 }, 'invalid_input', 'index'],
    ['1.5', { indices: [1.5] }, 'invalid_input', 'indices[0]'],
    ['2^53', { indices: [2 ** 53] }, 'invalid_input', 'indices[0]'],
    ['nothing', {}, 'invalid_input', 'index'],
    ['too many indices', { indices: Array.from({ length: 101 }, (_, n) => n) }, 'invalid_input', 'indices'],
    ['a huge range', { indexRangeStart: 0, indexRangeEnd: 2 ** 53 - 1 }, 'invalid_input', 'indexRangeEnd'],
    ['an unknown purpose', { index: 1, statusPurpose: 'fun' }, 'invalid_input', 'statusPurpose'],
    ['another purpose', { index: 1, statusPurpose: 'suspension' }, 'purpose_mismatch', 'statusPurpose'],
    ['an unknown list', { index: 1, statusListName: 'nobody-knows' }, 'list_not_found', 'statusListName'],
    ['an unknown type', { index: 1, listType: 'Nope' }, 'unknown_list_type', 'listType'],
    ['another width', { index: 1, statusSize: 2 }, 'invalid_input', 'statusSize'],
    [
      "messages that differ from the list's",
      { index: 1, statusMessage: WORDS },
      'invalid_input',
      'statusMessage',
    ],
  ]
  for (const listType of ['StatusList2021', 'BitstringStatusList']) {
    for (const [title, args, code, path] of wrong) {
      it(`refuses ${title} for ${listType}`, async () => {
        const { check } = await setup({ listType })
        await refused(() => check(args), { code, path })
      })
    }
  }

  it('accepts parameters that match the list', async () => {
    const { check, did } = await setup({ statusPurpose: ['message'] })
    const statusMessage = WORDS.map(({ status, message }) => ({
      status,
      message: message.replace('issued', 'valid'),
    }))
    const url = `${did}?resourceName=list&resourceType=BitstringStatusListCredential`
    for (const statusListCredential of [url, `https://resolver.cheqd.net/1.0/identifiers/${url}`]) {
      assert.equal((await check({ index: 1, statusListCredential, statusSize: 2, statusMessage })).status, 0)
    }
    await refused(() => check({ index: 1, statusMessage: statusMessage.slice(0, 3) }), {
      code: 'invalid_input',
      path: 'statusMessage',
    })
  })

  it('refuses a statusListCredential of any other list', async () => {
    const { check, did } = await setup()
    const type = 'BitstringStatusListCredential'
    for (const statusListCredential of [
      'http://127.0.0.1:1/list',
      `${did}?resourceName=other&resourceType=${type}`,
      `${did}?resourceName=list&resourceType=StatusList2021Revocation`,
      `did:cheqd:testnet:other?resourceName=list&resourceType=${type}`,
      '',
    ]) {
      await refused(() => check({ index: 1, statusListCredential }), {
        code: 'invalid_input',
        path: 'statusListCredential',
      })
    }
  })

  it('checks the validity of the list on every use', async () => {
    for (const listType of ['StatusList2021', 'BitstringStatusList']) {
      const { check, at } = await setup({ listType })
      assert.equal((await check({ index: 1 })).revoked, false)
      at('2026-07-01T00:00:00Z')
      await refused(() => check({ index: 1 }), { code: 'invalid_credential', says: /2026-07-01/ })
      at('2026-05-31T23:55:00Z')
      assert.equal((await check({ index: 1 })).revoked, false)
      at('2026-05-31T23:54:59Z')
      await refused(() => check({ index: 1 }), { code: 'invalid_credential', says: /not valid before/ })
    }
  })

  it('works again after an update, if the clock was ahead when the list was created', async () => {
    for (const listType of ['StatusList2021', 'BitstringStatusList']) {
      const { check, at, update } = await setup({ listType })
      at('2026-05-30T00:00:00Z')
      await refused(() => check({ index: 1 }), { code: 'invalid_credential', says: /not valid before/ })
      await update('revoke', [1])
      assert.equal((await check({ index: 1 })).revoked, true)
    }
  })

  it('works immediately for token lists, which carry their signing time and not a validity start', async () => {
    const { check, at, update } = await setup({ listType: 'TokenStatusList' })
    at('2026-05-30T00:00:00Z')
    assert.equal((await check({ index: 1 })).revoked, false)
    await update('revoke', [1])
    assert.equal((await check({ index: 1 })).revoked, true)
  })
})

describe('checking a list in cheqd’s older layout', () => {
  const list = { statusListName: 'older', listType: 'BitstringStatusList' }
  const named = (did: string) => ({
    did,
    resourceName: 'older',
    resourceType: 'BitstringStatusListCredential',
  })

  it('supports the other bit order, two bits by default, and keeps both on update', async () => {
    const { agent, scoped, ledger, did } = await setup()
    ledger.appendText(named(did), older(did))
    const check = (index: number, statusPurpose: string) =>
      agent.statusListCheck({ ...list, did, index, statusPurpose, statusSize: 2, statusMessage: WORDS })
    assert.equal((await check(4, 'revocation')).revoked, true)
    assert.equal((await check(5, 'suspension')).suspended, true)
    assert.equal((await check(5, 'message')).message, 'suspended')
    const { resource, changed } = await scoped((a) =>
      a.statusListUpdate({ ...list, did, statusAction: 'suspend', indices: [6] }),
    )
    assert.deepEqual(changed, [6])
    assert.deepEqual(JSON.parse(ledger.newestText(named(did))), resource)
    assert.equal((await check(6, 'suspension')).suspended, true)
    assert.equal((await check(4, 'revocation')).revoked, true)
    await refused(
      () => scoped((a) => a.statusListUpdate({ ...list, did, statusAction: 'reinstate', indices: [6, 4] })),
      { code: 'irreversible', path: 'indices[1]' },
    )
  })

  const bad: [string, Parameters<typeof older>[1], code: string][] = [
    ['a list of 8 bits', { bytes: 2 }, 'malformed_list'],
    ['a list of 100 bytes', { bytes: 100 }, 'malformed_list'],
    ['two bits for a one-bit list', { bytes: 16_384 }, 'malformed_list'],
    ['fewer bits than stated', { metadata: { length: 131_073 } }, 'malformed_list'],
    [
      'a decompression bomb',
      { subject: { encodedList: gzipSync(Buffer.alloc(20 << 20)).toString('base64url') } },
      'malformed_list',
    ],
    ['padding', { subject: { encodedList: 'H4sI====' } }, 'malformed_list'],
    ['an encrypted list', { metadata: { encrypted: true } }, 'list_encrypted'],
  ]
  for (const [title, options, code] of bad) {
    it(`refuses ${title}, to check and to update`, async () => {
      const { agent, scoped, ledger, did } = await setup()
      ledger.appendText(named(did), older(did, options))
      await refused(() => agent.statusListCheck({ ...list, did, index: 1, statusPurpose: 'revocation' }), {
        code,
      })
      await refused(
        () => scoped((a) => a.statusListUpdate({ ...list, did, statusAction: 'revoke', indices: [1] })),
        { code },
      )
      assert.equal(ledger.history(named(did)).length, 1)
    })
  }
})
