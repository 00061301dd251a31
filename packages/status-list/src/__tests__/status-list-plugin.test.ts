import assert from 'node:assert/strict'
import { createAgent } from '@veramo/core'
import { runInAccountScope } from '@vidimus/core-types'
import { BitstringStatusList } from '../types/bitstring-status-list.js'
import { StatusList2021 } from '../types/status-list-2021.js'
import { StatusListPlugin } from '../status-list-plugin.js'
import { refused } from './refused.js'
import { createTestAgent, newKey, type TestAgent } from './test-agent.js'

async function setup() {
  const test = createTestAgent()
  const { did } = await test.createDid()
  return { ...test, did }
}
const newList = (
  { scoped, did }: TestAgent & { did: string },
  listType: string,
  statusPurpose: string | string[] = 'revocation',
) => scoped((agent) => agent.statusListCreate({ did, statusListName: 'list', listType, statusPurpose }))
const update = (
  { scoped, did }: TestAgent & { did: string },
  listType: string,
  statusAction: string,
  indices: number[],
) =>
  scoped((agent) => agent.statusListUpdate({ did, statusListName: 'list', listType, statusAction, indices }))

describe('StatusListPlugin', () => {
  it('returns the flag of the action', async () => {
    const test = await setup()
    await newList(test, 'BitstringStatusList', ['revocation', 'suspension'])
    const flags = async (action: string, index: number) => {
      const { revoked, suspended, unsuspended, status, message } = await update(
        test,
        'BitstringStatusList',
        action,
        [index],
      )
      return JSON.stringify({ revoked, suspended, unsuspended, status, message })
    }
    assert.equal(await flags('revoke', 1), '{"revoked":true}')
    assert.equal(await flags('suspend', 2), '{"suspended":true}')
    assert.equal(await flags('reinstate', 2), '{"unsuspended":true}')
    assert.equal(await flags('unknown', 3), '{"status":3,"message":"unknown"}')
    assert.equal(await flags('0x3', 3), '{"status":3,"message":"unknown"}')
  })

  describe('with StatusList2021, where the action selects the list', () => {
    const type = 'StatusList2021'

    it('suspends and reinstates in one list, and revokes in the other', async () => {
      const test = await setup()
      await newList(test, type, 'revocation')
      await newList(test, type, 'suspension')
      assert.equal(
        (await update(test, type, 'revoke', [1])).resourceMetadata.resourceType,
        'StatusList2021Revocation',
      )
      assert.equal(
        (await update(test, type, 'suspend', [1])).resourceMetadata.resourceType,
        'StatusList2021Suspension',
      )
      assert.deepEqual((await update(test, type, 'reinstate', [1])).changed, [1])
    })

    it('refuses actions that only the missing list supports', async () => {
      const test = await setup()
      await newList(test, type, 'revocation')
      await update(test, type, 'revoke', [1])
      await refused(() => update(test, type, 'reinstate', [2, 1]), {
        code: 'irreversible',
        path: 'indices[1]',
      })
      await refused(() => update(test, type, 'reinstate', [2]), {
        code: 'purpose_mismatch',
        path: 'statusAction',
      })
      await refused(() => update(test, type, 'suspend', [2]), {
        code: 'purpose_mismatch',
        path: 'statusAction',
      })
      const other = await setup()
      await newList(other, type, 'suspension')
      await refused(() => update(other, type, 'revoke', [2]), {
        code: 'purpose_mismatch',
        path: 'statusAction',
      })
      await refused(() => update(other, type, 'explode', [2]), {
        code: 'unknown_action',
        path: 'statusAction',
      })
    })
  })

  it('searches published lists', async () => {
    for (const listType of ['StatusList2021', 'BitstringStatusList']) {
      const test = await setup()
      const { resource, resourceMetadata } = await newList(test, listType)
      const list = { did: test.did, statusListName: 'list', listType }
      for (const args of [list, { ...list, statusPurpose: 'revocation' }]) {
        assert.deepEqual(await test.agent.statusListSearch(args), { found: true, resource, resourceMetadata })
      }
      await refused(() => test.agent.statusListSearch({ ...list, statusListName: 'other' }), {
        code: 'list_not_found',
        path: 'statusListName',
      })
      await refused(() => test.agent.statusListSearch({ ...list, statusPurpose: 'suspension' }), {
        code: 'purpose_mismatch',
      })
      await refused(() => test.agent.statusListSearch({ ...list, statusPurpose: 'fun' }), {
        code: 'invalid_input',
      })
    }
  })

  it('allows updates by the publisher only, and reveals nothing to others', async () => {
    const test = await setup()
    await newList(test, 'BitstringStatusList')
    const stranger = createTestAgent({ ledger: test.ledger })
    const unknown = newKey('did:cheqd:testnet:9c5f4ae6-4f7d-4d3b-8fd1-3ad4d7c9a004', 'key-1').did
    const messages = []
    for (const did of [test.did, unknown]) {
      const error = await refused(() => update({ ...stranger, did }, 'BitstringStatusList', 'revoke', [1]), {
        code: 'did_not_found',
        path: 'did',
      })
      messages.push(error.message.replace(did, '<did>'))
    }
    assert.equal(messages[0], messages[1])
    const list = { did: test.did, statusListName: 'list', listType: 'BitstringStatusList' }
    const answer = await stranger.agent.statusListCheck({ ...list, statusPurpose: 'revocation', index: 1 })
    assert.equal(answer.revoked, false)
  })

  it('does not mistake a failing store for a DID that is not held', async () => {
    const { agent, account } = await setup()
    const failure = new Error('connect ECONNREFUSED')
    const methods = { ...agent, didHolding: () => Promise.reject(failure) }
    const plugin = new StatusListPlugin({ types: [StatusList2021] })
    const args = {
      did: 'did:x:y',
      statusListName: 'l',
      listType: 'StatusList2021',
      statusPurpose: 'revocation',
    }
    const context = { agent: methods } as unknown as Parameters<typeof plugin.methods.statusListCreate>[1]
    await assert.rejects(
      runInAccountScope(account, () => plugin.methods.statusListCreate(args, context)),
      failure,
    )
  })

  it('distinguishes an unreadable list from one with another purpose', async () => {
    const test = await setup()
    await newList(test, 'StatusList2021')
    const named = { did: test.did, resourceName: 'list', resourceType: 'StatusList2021Suspension' }
    test.ledger.appendText(named, '{}')
    const list = { did: test.did, statusListName: 'list', listType: 'StatusList2021', index: 1 }
    await refused(() => test.agent.statusListCheck({ ...list, statusPurpose: 'suspension' }), {
      code: 'malformed_list',
    })
  })

  const wrong: [string, number[], path: string][] = [
    ['no index', [], 'indices'],
    ['-1', [-1], 'indices[0]'],
    ['1.5', [1.5], 'indices[0]'],
    ['2^53', [1, 2 ** 53], 'indices[1]'],
    ['too many indices', Array.from({ length: 10_001 }, (_, n) => n), 'indices'],
  ]
  for (const [title, indices, path] of wrong) {
    it(`refuses to update ${title}`, async () => {
      const test = await setup()
      await refused(() => update(test, 'BitstringStatusList', 'revoke', indices), {
        code: 'invalid_input',
        path,
      })
    })
  }

  it('refuses unknown members', async () => {
    const { scoped, did } = await setup()
    const args = {
      did,
      statusListName: 'list',
      listType: 'StatusList2021',
      statusPurpose: 'revocation',
      lenght: 5,
    }
    await refused(() => scoped((agent) => agent.statusListCreate(args)), {
      code: 'invalid_input',
      says: /lenght/,
    })
  })

  it('lists the configured types', async () => {
    const { agent } = await setup()
    assert.deepEqual(await agent.statusListTypes(), [
      {
        type: 'StatusList2021',
        entryType: 'StatusList2021Entry',
        purposes: ['revocation', 'suspension'],
        statusSizes: [1],
        resourceTypes: ['StatusList2021Revocation', 'StatusList2021Suspension'],
        minLength: 131_072,
        defaultLength: 131_072,
        embedsProofs: false,
      },
      {
        type: 'BitstringStatusList',
        entryType: 'BitstringStatusListEntry',
        purposes: ['revocation', 'suspension', 'refresh', 'message'],
        statusSizes: [1, 2, 4, 8],
        resourceTypes: ['BitstringStatusListCredential'],
        minLength: 131_072,
        defaultLength: 131_072,
        embedsProofs: true,
      },
      {
        type: 'TokenStatusList',
        entryType: 'status_list',
        purposes: ['revocation', 'suspension'],
        statusSizes: [1, 2, 4, 8],
        resourceTypes: ['TokenStatusList'],
        minLength: 131_072,
        defaultLength: 131_072,
        embedsProofs: false,
      },
    ])
  })

  it('describes every method for agents that validate arguments', () => {
    const plugin = new StatusListPlugin({ types: [StatusList2021] })
    assert.deepEqual(
      Object.keys(plugin.schema.components.methods as object).sort(),
      Object.keys(plugin.methods).sort(),
    )
    createAgent({ schemaValidation: true, plugins: [plugin] })
  })

  const options: [string, unknown, path: string][] = [
    ['missing types', {}, 'types'],
    ['an empty list of types', { types: [] }, 'types'],
    ['something other than a type', { types: [StatusList2021, {}] }, 'types[1]'],
    ['a duplicate type', { types: [StatusList2021, BitstringStatusList, StatusList2021] }, 'types[2]'],
    ['a type without a required method', { types: [{ ...StatusList2021, parse: undefined }] }, 'types[0]'],
    ['a zero limit', { types: [StatusList2021], maxIndicesPerCall: 0 }, 'maxIndicesPerCall'],
    ['a limit below the smallest list', { types: [StatusList2021], maxListLength: 1000 }, 'maxListLength'],
    ['an unknown option', { types: [StatusList2021], maxIndices: 5 }, ''],
  ]
  for (const [title, value, path] of options) {
    it(`refuses ${title}`, () =>
      refused(() => new StatusListPlugin(value as ConstructorParameters<typeof StatusListPlugin>[0]), {
        code: 'invalid_configuration',
        path,
      }))
  }
})
