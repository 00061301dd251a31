import assert from 'node:assert/strict'
import { listUrl } from '../list-url.js'
import { asDid, asListName, queueName, type Did, type QueueName, type StatusListName } from '../names.js'
import { memberName } from '../status-list-series.js'

const did = asDid('did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0')
const statusListName = asListName('members')
const takesDid = (text: Did): string => text
const takesListName = (text: StatusListName): string => text
const takesQueue = (queue: QueueName): QueueName => queue

describe('names', () => {
  it('are texts wherever any text will do', () => {
    assert.equal(takesDid(did).length + takesListName(memberName(statusListName, 1)).length, 54 + 9)
  })

  // The compiler reports each of these directives whose line compiles.
  it('of one kind do not compile where another is meant', () => {
    const resourceType = 'TokenStatusList'
    // @ts-expect-error a DID is no name of a list, nor the name a DID
    listUrl({ did: statusListName, statusListName: did, resourceType })
    // @ts-expect-error a text of no kind is no DID
    listUrl({ did: String(did), statusListName, resourceType })
    // @ts-expect-error the name of a list is no DID
    takesDid(statusListName)
    // @ts-expect-error a DID is no name of a list
    takesListName(did)
    // @ts-expect-error the name of a queue is no DID
    takesDid(queueName('did', did))
    // @ts-expect-error the name of a queue is no name of a list
    takesListName(queueName('list', statusListName))
    // @ts-expect-error a DID is no name of a queue
    takesQueue(did)
  })
})
