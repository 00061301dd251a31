import assert from 'node:assert/strict'
import type { IAgentPlugin } from '@veramo/core-types'
import { AgentError, type StatusListCreateArgs } from '@vidimus/core-types'
import { CredentialsPlugin, dataIntegrity } from '@vidimus/credentials'
import { ListAddresses } from '../../addresses/list-addresses.js'
import { headerOf } from '../../encoding/compact-jwt.js'
import type { StatusListPluginOptions } from '../../plugin-options.js'
import { readCopy } from '../../restore/published-copy.js'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { StatusList2021 } from '../../types/status-list-2021.js'
import { TokenStatusList } from '../../types/token-status-list.js'
import { PublishedLists } from '../../versions/published-lists.js'
import { createTestAgent } from '../test-agent.js'

/** Signs with Data Integrity proofs, until they are `broken`. */
class Signer {
  broken = false

  plugin(): IAgentPlugin {
    const { methods, schema } = new CredentialsPlugin({ formats: [dataIntegrity()] })
    const sign = methods.credentialSign
    const credentialSign: typeof sign = (args, context) =>
      this.broken
        ? Promise.reject(new AgentError('unavailable', 'the worker is broken'))
        : sign(args, context)
    return { methods: { ...methods, credentialSign }, schema }
  }
}

async function setUp(options: Partial<StatusListPluginOptions> = {}, plugins?: IAgentPlugin[]) {
  const signer = new Signer()
  const test = createTestAgent({ options, plugins: plugins ?? [signer.plugin()] })
  const { did } = await test.createDid()
  const create = (fields: Partial<StatusListCreateArgs> = {}) =>
    test.scoped((agent) =>
      agent.statusListCreate({
        did,
        statusListName: 'staff',
        listType: 'BitstringStatusList',
        statusPurpose: 'revocation',
        ...fields,
      }),
    )
  const revoke = (index: number) =>
    test.scoped((agent) =>
      agent.statusListUpdate({
        did,
        statusListName: 'staff',
        listType: 'BitstringStatusList',
        statusAction: 'revoke',
        indices: [index],
      }),
    )
  return { ...test, did, signer, create, revoke }
}

const proofIn = ({ resource }: { resource: Record<string, unknown> }): unknown =>
  headerOf(String(resource.jwt)).proof

const formOf = ({ resource }: { resource: Record<string, unknown> }): Record<string, unknown> => {
  const doc = BitstringStatusList.parse(Buffer.from(String(resource.jwt)))
  const [form] = BitstringStatusList.forms?.(doc) ?? []
  return JSON.parse(Buffer.from(form?.content ?? []).toString()) as Record<string, unknown>
}

describe('the embedded proof of a status list', function () {
  it('never keeps a revocation back, and returns with the next version', async () => {
    const { create, revoke, signer } = await setUp()
    assert.ok(proofIn(await create({ embeddedProof: true })))
    signer.broken = true
    const without = await revoke(1)
    assert.deepEqual([without.changed, proofIn(without)], [[1], null])
    assert.equal(formOf(without).type, 'EnvelopedVerifiableCredential')
    signer.broken = false
    const later = await revoke(2)
    assert.deepEqual(formOf(later).proof, proofIn(later))
    assert.ok(proofIn(later))
  })

  it('is required at creation, if it was requested', async () => {
    const { create, signer } = await setUp()
    signer.broken = true
    const refusal = (reason: RegExp) => (error: AgentError) =>
      error.code === 'invalid_input' &&
      error.details[0]?.path === 'embeddedProof' &&
      reason.test(error.details[0].message)
    await assert.rejects(create({ embeddedProof: true }), refusal(/the worker is broken/))
    signer.broken = false
    await create({ embeddedProof: true })
    const other = await setUp({}, [])
    await assert.rejects(other.create({ embeddedProof: true }), refusal(/no plugin that signs credentials/))
  })

  it('can be the default, for lists that can have one', async () => {
    const { create } = await setUp({ embeddedProof: true })
    assert.ok(proofIn(await create()))
    assert.equal(proofIn(await create({ statusListName: 'without', embeddedProof: false })), undefined)
    assert.equal(proofIn(await create({ listType: 'TokenStatusList' })), undefined)
    const byDefault = await setUp()
    assert.equal(proofIn(await byDefault.create()), undefined)
  })

  it('identifies a copy of the list, which is read if it verifies', async () => {
    const { create, did, agent } = await setUp()
    const embedded = formOf(await create({ embeddedProof: true }))
    const readers = {
      types: [StatusList2021, TokenStatusList, BitstringStatusList],
      lists: new PublishedLists({ maxDecodedBytes: 1_000_000 }),
      addresses: new ListAddresses({ address: 'did' }),
      context: { agent } as never,
    }
    const read = (copy: object) => readCopy(Buffer.from(JSON.stringify(copy)), undefined, readers)
    const { location, signedAt, list } = await read(embedded)
    assert.deepEqual([location.did, location.statusListName], [did, 'staff'])
    assert.deepEqual([signedAt, list.entries], [embedded.iat, 131_072])
    await assert.rejects(read({ ...embedded, iat: Number(embedded.iat) + 1 }), /signature/)
    await assert.rejects(read({ ...embedded, proof: undefined }), /does not verify|none of the forms/)
  })
})
