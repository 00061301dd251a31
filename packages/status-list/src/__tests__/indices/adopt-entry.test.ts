import assert from 'node:assert/strict'
import { SharedFolder, SHORT, type CredentialsAgent } from '../credentials-set-up.js'
import { refused } from '../refused.js'

const NAME = { statusListName: 'members' }

describe('adopting ready-made entries', () => {
  let folder: SharedFolder
  let test: CredentialsAgent
  let did: string
  beforeEach(async () => {
    folder = await SharedFolder.create()
    test = await folder.agent()
    ;({ did } = await test.createDid())
    await test.scoped((agent) =>
      agent.statusListCreate({
        did,
        ...NAME,
        listType: 'BitstringStatusList',
        statusPurpose: 'revocation',
      }),
    )
  })
  afterEach(() => folder.remove())

  const url = (name = NAME.statusListName) =>
    `${did}?resourceName=${name}&resourceType=BitstringStatusListCredential`
  const entry = (statusListIndex: string, statusListCredential = url()) => ({
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex,
    statusListCredential,
  })
  const adopt = (entries: Record<string, unknown>[], by = test) =>
    by.scoped(async (agent) => {
      const { contexts } = await agent.statusListAllocateTogether({ requests: [], entries })
      return { contexts }
    })
  const isFree = async (statusListIndex: number) => {
    try {
      await test.scoped((agent) => agent.statusListAllocate({ did, ...NAME, statusListIndex }))
      return true
    } catch {
      return false
    }
  }

  it('reserves their indices', async () => {
    const status = 'https://www.w3.org/ns/credentials/status/v1'
    const resolver = 'https://resolver.example/1.0/identifiers/'
    assert.deepEqual(await adopt([entry('1'), entry('2', resolver + url())]), { contexts: [status] })
    assert.deepEqual([await isFree(1), await isFree(2), await isFree(3)], [false, false, true])
    // once more: a reissued credential
    await adopt([entry('1')])
  })

  it('ignores entries of other issuers and of unknown types', async () => {
    const stranger = await folder.agent({}, { ledger: test.ledger })
    await adopt([entry('4')], stranger)
    const foreign = [
      entry('5', 'https://example.com/list'),
      entry('6', url('nowhere')),
      { type: 'Other', id: url() },
    ]
    assert.deepEqual(await adopt([{ type: 'Other' }]), { contexts: [] })
    await adopt(foreign)
    for (const index of [4, 5, 6]) assert.ok(await isFree(index))
  })

  it('reports unreadable entries and those outside the list', async () => {
    const error = await refused(() => adopt([entry('1e3'), entry('8'), entry('-1')]), {
      code: 'invalid_input',
      path: 'entries[2]',
      says: /statusListIndex/,
    })
    assert.deepEqual(
      error.details.map(({ path }) => path),
      ['entries[0]', 'entries[2]'],
    )
    assert.ok(await isFree(8))
    await refused(() => adopt([entry(String(SHORT))]), { code: 'index_out_of_range', path: 'entries[0]' })
  })
})
