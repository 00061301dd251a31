import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { VerifiableCredential } from '@veramo/core-types'
import { StatusList2021 } from '../../types/status-list-2021.js'
import { createTestAgent } from '../test-agent.js'

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
    ['TokenStatusList', 'token', 'suspension'],
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
  await update('TokenStatusList', 'token', 'revoke', 1)
  await update('TokenStatusList', 'token', 'suspend', 2)
  await update('TokenStatusList', 'token', '3', 3)
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
  const tokenStatus = (status: unknown, credentialStatus?: unknown) =>
    test.agent.checkCredentialStatus({
      credential: { status, credentialStatus } as unknown as VerifiableCredential,
    })
  const uri = `${did}?resourceName=token&resourceType=TokenStatusList`
  const token = (idx: unknown) => ({ status_list: { idx, uri } })
  return { ...test, did, status, update, old, one, two, refresh, tokenStatus, token, uri }
}
type Entries = Awaited<ReturnType<typeof setup>>

describe('status of a credential', () => {
  let test: Entries
  before(async () => {
    test = await setup()
  })

  it('is valid if there is none', async () => {
    assert.deepEqual(await test.status(undefined), { revoked: false, verified: true })
  })

  const verdicts: [string, (entries: Entries) => unknown, 'in force' | 'revoked' | 'suspended' | RegExp][] = [
    ['StatusList2021', ({ old }) => old(0), 'in force'],
    ['StatusList2021', ({ old }) => old(1), 'revoked'],
    ['StatusList2021 through a resolver', ({ old }) => old(1, 'revocation', RESOLVER), 'revoked'],
    ['StatusList2021', ({ old }) => old(2, 'suspension'), 'suspended'],
    ['StatusList2021 with both purposes', ({ old }) => [old(0), old(0, 'suspension')], 'in force'],
    ['StatusList2021 with both purposes', ({ old }) => [old(2), old(2, 'suspension')], 'suspended'],
    ['one bit', ({ one }) => one(0), 'in force'],
    ['one bit', ({ one }) => one(1), 'revoked'],
    ['two bits', ({ two }) => two(0, 'revocation'), 'in force'],
    ['two bits', ({ two }) => two(1, 'revocation'), 'revoked'],
    ['two bits', ({ two }) => two(1, 'message'), 'revoked'],
    ['two bits', ({ two }) => two(2, 'suspension'), 'suspended'],
    [
      'two bits, checked for the other purpose',
      ({ two }) => two(2, 'revocation'),
      /its status is "suspended" \(2\)/,
    ],
    ['an unknown message', ({ two }) => two(3, 'message'), /its status is "unknown" \(3\)/],
    ['refresh', ({ refresh }) => refresh(1), 'in force'],
    ['a revoked entry among valid ones', ({ one, old }) => [one(0), old(1), one(2)], 'revoked'],
    ['no entries', () => [], 'in force'],
    ['text', () => 'x', /not an object/],
    [
      'an unknown type',
      ({ one }) => ({ ...one(0), type: 'Other' }),
      /its type is "Other"; known: StatusList2021Entry/,
    ],
    ['an unknown type beside a valid one', ({ one }) => [one(0), { type: 'Other' }], /credentialStatus\[1\]/],
    [
      'an unknown list',
      ({ one }) => ({ ...one(0), statusListCredential: one(0).statusListCredential.replace('one', 'none') }),
      /published no BitstringStatusList/,
    ],
    [
      'a list on the web',
      ({ one }) => ({ ...one(0), statusListCredential: 'http://127.0.0.1:1/list' }),
      /neither a DID URL .* nor an https URL/,
    ],
    [
      'a list of another type',
      ({ one }) => ({ ...one(0), type: 'StatusList2021Entry' }),
      /not a StatusList2021/,
    ],
    [
      'a purpose that the list does not have',
      ({ one }) => ({ ...one(0), statusPurpose: 'suspension' }),
      /is for revocation/,
    ],
    [
      'a width for which the list is too short',
      ({ two, one }) => ({ ...two(0, 'revocation'), statusListCredential: one(0).statusListCredential }),
      /65536 entries, fewer than the minimum/,
    ],
    [
      'the width of the list if the entry has none',
      ({ two }) => ({ ...two(0, 'revocation'), statusSize: undefined }),
      'in force',
    ],
    [
      'another width than that of the list',
      ({ two }) => ({ ...two(0, 'revocation'), statusSize: 1, statusMessage: undefined }),
      /statusSize of 1.*have 2 bits/,
    ],
    ['an index beyond the end', ({ one }) => one(131_072), /0 to 131071/],
    ['a malformed index', ({ one }) => ({ ...one(1), statusListIndex: '1abc' }), /statusListIndex/],
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

  describe('in the member "status"', () => {
    const tokens: [string, (entries: Entries) => unknown, 'in force' | 'revoked' | 'suspended' | RegExp][] = [
      ['valid', ({ token }) => token(0), 'in force'],
      ['revoked', ({ token }) => token(1), 'revoked'],
      ['suspended', ({ token }) => token(2), 'suspended'],
      [
        'an application-specific state',
        ({ token }) => token(3),
        /its status is "APPLICATION_SPECIFIC" \(3\)/,
      ],
      ['through a resolver', ({ uri }) => ({ status_list: { idx: 1, uri: RESOLVER + uri } }), 'revoked'],
      ['beside another mechanism', ({ token }) => ({ ...token(1), identifier_list: {} }), 'revoked'],
      ['beside another mechanism', ({ token }) => ({ ...token(0), identifier_list: {} }), 'in force'],
      ['another mechanism', () => ({ identifier_list: { id: 'a', uri: 'b' } }), /status_list/],
      ['nothing', () => ({}), /the status cannot be used: none of its members/],
      ['a list of entries', ({ token }) => [token(0)], /not an object/],
      ['an inherited name', () => Object.create({ status_list: {} }) as unknown, /none of its members/],
      ['no list', () => ({ status_list: {} }), /status_list\.idx .*status_list\.uri/],
      ['an index as text', ({ token }) => token('1'), /status_list\.idx/],
      ['a fractional index', ({ token }) => token(0.5), /status_list\.idx/],
      ['an index below 0', ({ token }) => token(-1), /status_list\.idx/],
      ['an index beyond the end', ({ token }) => token(131_072), /0 to 131071/],
      [
        'a list of another type',
        ({ one }) => ({ status_list: { idx: 0, uri: one(0).statusListCredential } }),
        /not a TokenStatusList/,
      ],
      [
        'a list on the web',
        () => ({ status_list: { idx: 0, uri: 'http://example.com/list' } }),
        /neither a DID URL .* nor an https URL/,
      ],
    ]
    for (const [title, entry, expected] of tokens) {
      it(`${title}: ${String(expected)}`, async () => {
        const { revoked, suspended, verified, message, errors } = await test.tokenStatus(entry(test))
        if (expected instanceof RegExp) {
          assert.deepEqual({ revoked, verified }, { revoked: false, verified: false })
          assert.match(String(message), expected)
          assert.ok(errors === undefined || errors[0]?.path === 'status')
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

    it('is not an entry if it is a word of the issuer', async () => {
      const { verified, statuses } = await test.tokenStatus('active', test.one(0))
      assert.equal(verified, true)
      assert.equal(statuses?.length, 1)
    })

    it('is checked together with credentialStatus', async () => {
      const verdict = async (status: unknown, entry: unknown) =>
        (await test.tokenStatus(status, entry)).verified
      assert.equal(await verdict(test.token(0), test.one(0)), true)
      assert.equal(await verdict(test.token(1), test.one(0)), false)
      assert.equal(await verdict(test.token(0), test.one(1)), false)
      const { statuses } = await test.tokenStatus(test.token(2), test.one(0))
      assert.deepEqual(statuses?.[1], {
        type: 'status_list',
        list: test.token(2).status_list.uri,
        index: 2,
        status: 2,
        valid: false,
        revoked: false,
        suspended: true,
        message: 'SUSPENDED',
      })
    })

    it('cannot be used as an entry of credentialStatus, or the other way round', async () => {
      assert.equal((await test.status(test.token(0))).verified, false)
      assert.equal((await test.status({ ...test.token(0), type: 'status_list' })).verified, false)
      assert.equal((await test.tokenStatus(test.one(0))).verified, false)
    })

    it('is not verified if no configured type knows the member', async () => {
      const { agent } = createTestAgent({ options: { types: [StatusList2021] } })
      const credential = { status: test.token(0) } as unknown as VerifiableCredential
      assert.equal((await agent.checkCredentialStatus({ credential })).verified, false)
    })
  })

  it('reports each entry and each failure separately', async () => {
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
      {
        type: 'Other',
        error:
          'the credentialStatus cannot be used: its type is "Other"; known: StatusList2021Entry, BitstringStatusListEntry',
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

  it('is not verified by entries beyond the stated length of the list', async () => {
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

  it('is not verified if the list is forged or encrypted', async () => {
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
