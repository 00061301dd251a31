import assert from 'node:assert/strict'
import { eventDetails, eventSubject } from '../../events/events-page.js'
import type { AccountEvent } from '../../events/events.js'

const event = (change: Partial<AccountEvent>): AccountEvent => ({
  id: '7',
  type: 'did.created',
  time: '2026-01-31T09:30:00Z',
  subject: 'did:a',
  data: {},
  ...change,
})
const updated = event({
  type: 'list.updated',
  subject: 'did:a?resourceName=staff%20of%20Acme&resourceType=StatusList2021Revocation',
  data: {
    did: 'did:a',
    listType: 'StatusList2021',
    statusListName: 'staff of Acme',
    versionId: 'v',
    entriesChanged: 1200,
  },
})

describe('subject of an event', () => {
  it('links to a DID', () => {
    assert.deepEqual(eventSubject(event({})), { name: 'did:a', route: { page: 'did', did: 'did:a' } })
  })

  it('links to a list of the type named by its DID URL', () => {
    const [listType, resourceType, statusListName] = [
      'StatusList2021',
      'StatusList2021Revocation',
      'staff of Acme',
    ]
    assert.deepEqual(eventSubject(updated), {
      name: 'staff of Acme',
      of: 'StatusList2021 of did:a',
      route: { page: 'list', list: { did: 'did:a', listType, resourceType, statusListName } },
    })
  })

  it('is shown unchanged if unknown', () => {
    assert.deepEqual(eventSubject(event({ type: 'acme:quota-raised', subject: 'gold' })), { name: 'gold' })
    assert.deepEqual(eventSubject(event({ type: 'list.updated' })), { name: 'did:a' })
    assert.deepEqual(eventSubject({ ...updated, data: { ...updated.data, listType: 7 } }), {
      name: updated.subject,
    })
  })

  it('has a short description of the remaining data', () => {
    assert.equal(eventDetails(updated), '1,200 entries changed')
    assert.equal(eventDetails({ ...updated, data: { entriesChanged: 1 } }), '1 entry changed')
    assert.equal(eventDetails(event({})), '')
    assert.equal(eventDetails(event({ data: { confirmed: false } })), 'may not have happened')
    const rotated = event({ type: 'api-key.rotated', data: { successor: 'k2', days: 3 } })
    assert.equal(eventDetails(rotated), 'successor: k2, days: 3')
  })
})
