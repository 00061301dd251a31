import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StatusListType } from '@vidimus/core-types'
import { assertCountsWhatItTakes } from '../../../../../test/support/memory-taken.js'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { ListDocuments } from '../../versions/list-documents.js'
import { StatusList2021 } from '../../types/status-list-2021.js'
import { TokenStatusList } from '../../types/token-status-list.js'
import { createTestAgent } from '../test-agent.js'

describe('ListDocuments', () => {
  for (const type of [BitstringStatusList, StatusList2021, TokenStatusList] as StatusListType[]) {
    it(`count their memory: ${type.type}`, async () => {
      const { scoped, createDid, ledger } = createTestAgent()
      const { did } = await createDid()
      const list = { did, statusListName: 'list', listType: type.type, statusPurpose: 'revocation' }
      const { resourceMetadata } = await scoped((agent) => agent.statusListCreate(list))
      const [version] = ledger.history({ did, ...resourceMetadata })
      assert.ok(version)
      const { metadata, data } = version
      const content = Buffer.from(data, 'base64url')
      const documents = new ListDocuments()
      const remember = (amount: number) => {
        for (let n = 0; n < amount; n += 1) {
          const named = { ...metadata, resourceName: `list ${n}`, resourceId: randomUUID() }
          documents.remember(type, named, type.parse(content))
        }
        return Promise.resolve()
      }
      await remember(1)
      await assertCountsWhatItTakes('document', { buffers: 0 }, () => remember(2000))
    })
  }
})
