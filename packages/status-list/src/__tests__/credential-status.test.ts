import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { VerifiableCredential } from '@veramo/core-types'
import { createTestAgent } from './test-agent.js'

const RESOLVER = 'https://resolver.cheqd.net/1.0/identifiers/'

async function setup() {
  const test = createTestAgent()
  const { did } = await test.createDid()
  const lists: [string, string, string | string[]][] = [
    ['StatusList2021', 'old', 'revocation'],
    ['StatusList2021', 'old', 'suspension'],
    ['BitstringStatusList', 'one', 'revocation'],
    ['BitstringStatusList', 'two', ['revocation', 'suspension', 'message', 'refresh']],
    ['BitstringStatusList', 'refresh', 'refresh'],
  ]
  for (const [listType, statusListName, statusPurpose] of lists) {
    await test.scoped((agent) => agent.statusListCreate({ did, listType, statusListName, statusPurpose }))
  }
  const update = (listType: string, statusListName: string, statusAction: string, index: number) =>
    test.scoped((agent) =>
      agent.statusListUpdate({ did, listType, statusListName, statusAction, indices: [index] }),
    )
  await update('StatusList2021', 'old', 'revoke', 1)
  await update('StatusList2021', 'old', 'suspend', 2)
  await update('BitstringStatusList', 'one', 'revoke', 1)
  await update('BitstringStatusList', 'two', 'revoke', 1)
  await update('BitstringStatusList', 'two', 'suspend', 2)
  await update('BitstringStatusList', 'two', 'unknown', 3)
  await update('BitstringStatusList', 'refresh', 'set', 1)
  const status = (credentialStatus: unknown) =>
    test.agent.checkCredentialStatus({ credential: { credentialStatus } as unknown as VerifiableCredential })
  const old = (index: number, statusPurpose = 'revocation', prefix = '') => ({
    id: `${prefix}${did}?resourceName=old&resourceType=StatusList2021${statusPurpose === 'revocation' ? 'Revocation' : 'Suspension'}#${index}`,
    type: 'StatusList2021Entry',
    statusPurpose,
    statusListIndex: String(index),
  })
  const url = (name: string) => `${did}?resourceName=${name}&resourceType=BitstringStatusListCredential`
  const one = (index: number) => ({
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(index),
    statusListCredential: url('one'),
  })
  const two = (index: number, statusPurpose: string) => ({
    ...one(index),
    statusPurpose,
    statusListCredential: RESOLVER + url('two'),
    statusSize: 2,
    statusMessage: ['valid', 'revoked', 'suspended', 'unknown'].map((message, n) => ({
      status: `0x${n}`,
      message,
    })),
  })
  const refresh = (index: number) => ({
    ...one(index),
    statusPurpose: 'refresh',
    statusListCredential: url('refresh'),
  })
  return { ...test, did, status, update, old, one, two, refresh }
}
type Entries = Awaited<ReturnType<typeof setup>>

describe('status of a credential', () => {
  let test: Entries
  before(async () => {
    test = await setup()
  })

  it('is in force where it names none', async () => {
    assert.deepEqual(await test.status(undefined), { revoked: false, verified: true })
  })

  const verdicts: [string, (entries: Entries) => unknown, 'in force' | 'revoked' | 'suspended' | RegExp][] = [
    ['StatusList2021', ({ old }) => old(0), 'in force'],
    ['StatusList2021', ({ old }) => old(1), 'revoked'],
    ['StatusList2021 by way of a resolver', ({ old }) => old(1, 'revocation', RESOLVER), 'revoked'],
    ['StatusList2021', ({ old }) => old(2, 'suspension'), 'suspended'],
    ['StatusList2021, both', ({ old }) => [old(0), old(0, 'suspension')], 'in force'],
    ['StatusList2021, both', ({ old }) => [old(2), old(2, 'suspension')], 'suspended'],
    ['one bit', ({ one }) => one(0), 'in force'],
    ['one bit', ({ one }) => one(1), 'revoked'],
    ['two bits', ({ two }) => two(0, 'revocation'), 'in force'],
    ['two bits', ({ two }) => two(1, 'revocation'), 'revoked'],
    ['two bits', ({ two }) => two(1, 'message'), 'revoked'],
    ['two bits', ({ two }) => two(2, 'suspension'), 'suspended'],
    [
      'two bits, looked at under the other purpose',
      ({ two }) => two(2, 'revocation'),
      /its status is "suspended" \(2\)/,
    ],
    ['a message that is not understood', ({ two }) => two(3, 'message'), /its status is "unknown" \(3\)/],
    ['refresh', ({ refresh }) => refresh(1), 'in force'],
    ['a revoked one among good ones', ({ one, old }) => [one(0), old(1), one(2)], 'revoked'],
    ['no entries', () => [], 'in force'],
    ['text', () => 'x', /not an object/],
    [
      'an unknown type',
      ({ one }) => ({ ...one(0), type: 'Other' }),
      /its type is "Other", but known are StatusList2021Entry/,
    ],
    ['an unknown type beside a good one', ({ one }) => [one(0), { type: 'Other' }], /credentialStatus\[1\]/],
    [
      'an unknown list',
      ({ one }) => ({ ...one(0), statusListCredential: one(0).statusListCredential.replace('one', 'none') }),
      /published no BitstringStatusList/,
    ],
    [
      'a list on the web',
      ({ one }) => ({ ...one(0), statusListCredential: 'http://127.0.0.1:1/list' }),
      /not named by a DID URL/,
    ],
    [
      'a list of another type',
      ({ one }) => ({ ...one(0), type: 'StatusList2021Entry' }),
      /which is no StatusList2021/,
    ],
    [
      'a purpose that the list does not have',
      ({ one }) => ({ ...one(0), statusPurpose: 'suspension' }),
      /is about revocation/,
    ],
    [
      'another width',
      ({ two, one }) => ({ ...two(0, 'revocation'), statusListCredential: one(0).statusListCredential }),
      /have 2 bits.*1/,
    ],
    [
      'no width for a list that has one',
      ({ two }) => ({ ...two(0, 'revocation'), statusSize: undefined }),
      /have 1 bits.*2/,
    ],
    ['an index behind the end', ({ one }) => one(131_072), /0 to 131071/],
    ['an index that is none', ({ one }) => ({ ...one(1), statusListIndex: '1abc' }), /statusListIndex/],
    ['too many entries', ({ one }) => Array.from({ length: 17 }, () => one(0)), /17 entries/],
  ]
  for (const [title, entries, expected] of verdicts) {
    it(`${title}: ${String(expected)}`, async () => {
      const { revoked, suspended, verified, message } = await test.status(entries(test))
      if (expected instanceof RegExp) {
        assert.deepEqual({ revoked, verified }, { revoked: false, verified: false })
        assert.match(String(message), expected)
        return
      }
      assert.deepEqual(
        { revoked, suspended, verified },
        {
          revoked: expected === 'revoked',
          suspended: expected === 'suspended',
          verified: expected === 'in force',
        },
      )
    })
  }

  it('tells each entry and each failure apart', async () => {
    const { statuses, errors, message } = await test.status([test.one(1), { type: 'Other' }])
    assert.deepEqual(statuses, [
      {
        type: 'BitstringStatusListEntry',
        purpose: 'revocation',
        list: test.one(1).statusListCredential,
        index: 1,
        status: 1,
        valid: false,
        revoked: true,
      },
    ])
    assert.deepEqual(
      errors?.map(({ path, code }) => [path, code]),
      [['credentialStatus[1]', 'invalid_credential']],
    )
    assert.match(
      String(message),
      /^it is revoked \(index 1 of the list "one", revocation\); credentialStatus\[1\]: /,
    )
  })

  it('is not verified by entries behind the length that the list tells', async () => {
    const { ledger, did, status, one } = await setup()
    const named = { did, resourceName: 'longer', resourceType: 'BitstringStatusListCredential' }
    const encodedList = gzipSync(Buffer.alloc(16_385)).toString('base64url')
    const older = {
      bitstringStatusListCredential: { credentialSubject: { statusPurpose: 'revocation', encodedList } },
      metadata: { statusSize: 1, length: 131_072 },
    }
    ledger.appendText(named, JSON.stringify(older))
    const inList = (index: number) => ({
      ...one(index),
      statusListCredential: one(index).statusListCredential.replace('one', 'longer'),
    })
    assert.equal((await status(inList(131_071))).verified, true)
    assert.equal((await status(inList(131_072))).errors?.[0]?.code, 'index_out_of_range')
  })

  it('is not verified where the list is forged or encrypted', async () => {
    const { ledger, did, status, one } = await setup()
    const named = { did, resourceName: 'one', resourceType: 'BitstringStatusListCredential' }
    ledger.tamper(named, (jwt) => jwt.slice(0, -4) + (jwt.endsWith('AAAA') ? 'BBBB' : 'AAAA'))
    const forged = await status(one(0))
    assert.equal(forged.verified, false)
    assert.equal(forged.errors?.[0]?.code, 'invalid_credential')
    const list = {
      StatusList2021: { statusPurpose: 'revocation', encodedList: '00-00' },
      metadata: { type: 'StatusList2021Revocation', encoding: 'hex', encrypted: true },
    }
    const encrypted = { did, resourceName: 'secret', resourceType: 'StatusList2021Revocation' }
    ledger.appendText(encrypted, JSON.stringify(list))
    const secret = await status({
      id: `${did}?resourceName=secret&resourceType=StatusList2021Revocation#1`,
      type: 'StatusList2021Entry',
      statusPurpose: 'revocation',
      statusListIndex: '1',
    })
    assert.deepEqual([secret.verified, secret.errors?.[0]?.code], [false, 'list_encrypted'])
  })
})
