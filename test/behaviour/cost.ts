import assert from 'node:assert/strict'
import { createDid, createList, freshName, type Setup } from './suite.js'

interface Answer {
  cost?: { amount: string; denom: string }
  did?: string
  didState?: { did: string }
}

/** Responses to creations and changes contain the exact amount paid to the network, and nothing where it is free. */
export function costSuite({ client, networks }: Setup): void {
  /** @returns the response, whose `cost` is what the payer has spent */
  const costing = async (work: () => Promise<unknown>): Promise<Answer> => {
    const balance = () => networks?.()?.balanceOf('testnet', networks()?.payer ?? '')
    const before = await balance()
    const answer = (await work()) as Answer
    const after = await balance()
    if (before === undefined || after === undefined) assert.equal(answer.cost, undefined)
    else assert.deepEqual(answer.cost, { amount: String(before - after), denom: 'ncheq' })
    return answer
  }
  const post = (path: string, json: object, query: Record<string, string> = {}) =>
    done(client().post(path, { json, query }))
  const done = async (asked: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await asked
    assert.ok(status < 300, JSON.stringify(body))
    return body
  }
  const LIST = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
  const REVOKE = { listType: 'BitstringStatusList', statusAction: 'revoke' }

  it('is reported for a DID: creation, change and deactivation', async () => {
    const service = [{ idFragment: 'a', type: 'A', serviceEndpoint: ['https://a.example'] }]
    const { did } = await costing(() => post('/did/create', { network: 'testnet' }))
    await costing(() => post('/did/update', { did, service }))
    await costing(() => post(`/did/deactivate/${did}`, {}))
  })

  it('is also reported by the DID Registration endpoints', async () => {
    const { didState } = await costing(() =>
      post('/1.0/create', { options: { network: 'testnet' } }, { method: 'cheqd' }),
    )
    const did = didState?.did
    const didDocument = [{ service: [{ id: '#a', type: 'A', serviceEndpoint: 'https://a.example' }] }]
    await costing(() => post('/1.0/update', { did, didDocumentOperation: ['addToDidDocument'], didDocument }))
    await costing(() => post('/1.0/deactivate', { did }))
  })

  it('is reported for a resource and a list, and for each of their versions', async () => {
    const did = await createDid(client())
    const data = { name: 'schema', type: 'Schema', encoding: 'utf-8', data: '{}' }
    await costing(() => post(`/resource/create/${did}`, data))
    const list = { did, statusListName: freshName('list') }
    await costing(() => post('/credential-status/create/unencrypted', list, LIST))
    await costing(() => post('/credential-status/update/unencrypted', { ...list, indices: [1] }, REVOKE))
    const again = await post('/credential-status/update/unencrypted', { ...list, indices: [1] }, REVOKE)
    assert.equal((again as Answer).cost, undefined)
  })

  it('is reported in full to everybody who shares a version', async () => {
    const list = await createList(client())
    const update = (index: number) =>
      post('/credential-status/update/unencrypted', { ...list, indices: [index] }, REVOKE) as Promise<Answer>
    const answers = await Promise.all([1, 2, 3, 4, 5].map(update))
    const costs = answers.map(({ cost }) => JSON.stringify(cost))
    assert.deepEqual([...new Set(costs)].length, 1)
    assert.equal(answers[0]?.cost !== undefined, networks?.() !== undefined)
  })

  it('is reported to remote agents', async () => {
    const { did } = await costing(() =>
      post('/agent/didManagerCreate', { provider: 'did:cheqd', options: { network: 'testnet' } }),
    )
    const service = { id: `${did}#b`, type: 'B', serviceEndpoint: 'https://b.example' }
    await costing(() => post('/agent/didManagerAddService', { did, service }))
    const list = { did, statusListName: freshName('list'), ...LIST }
    await costing(() => post('/agent/statusListCreate', list))
    const update = { did, statusListName: list.statusListName, ...REVOKE, indices: [7] }
    await costing(() => post('/agent/statusListUpdate', update))
    await costing(() => post('/agent/cheqdDeactivate', { did }))
  })
}
