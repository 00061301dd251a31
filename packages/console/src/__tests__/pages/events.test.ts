import assert from 'node:assert/strict'
import { eventsOf } from '../../pages/events.js'

const event = { id: '7', type: 'did.created', time: '2026-01-31T09:30:00Z', subject: 'did:a', data: {} }

describe('events', () => {
  it('are read from a list and from an object that holds one', () => {
    assert.deepEqual(eventsOf([event]), [event])
    assert.deepEqual(eventsOf({ total: 1, events: [{ ...event, more: true }] }), [event])
  })

  it('may lack anything', () => {
    for (const body of [null, undefined, 'x', {}, { events: 7 }]) assert.deepEqual(eventsOf(body), [])
    assert.deepEqual(eventsOf([{ id: 8, subject: { did: 'did:a' } }, null]), [
      { id: '8', type: '', time: '', subject: '{"did":"did:a"}', data: {} },
    ])
  })
})
