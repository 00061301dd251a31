import assert from 'node:assert/strict'
import fc from 'fast-check'
import { eventsOnPage, readEvents, StreamedMessages } from '../../events/events.js'

const event = { id: '7', type: 'did.created', time: '2026-01-31T09:30:00Z', subject: 'did:a', data: {} }

describe('events', () => {
  it('are read from a list or an object that contains one', () => {
    assert.deepEqual(eventsOnPage([event]), [event])
    assert.deepEqual(eventsOnPage({ total: 1, events: [{ ...event, more: true }] }), [event])
  })

  it('may have missing or malformed members', () => {
    for (const body of [null, undefined, 'x', {}, { events: 7 }]) assert.deepEqual(eventsOnPage(body), [])
    assert.deepEqual(eventsOnPage([{ id: 8, subject: { did: 'did:a' } }, null]), [
      { id: '8', type: '', time: '', subject: '{"did":"did:a"}', data: {} },
    ])
  })

  describe('from the service', () => {
    const { fetch } = globalThis
    let asked = 0
    const answering = (pages: number) => {
      asked = 0
      globalThis.fetch = () => {
        asked += 1
        return Promise.resolve(
          Response.json({ events: [{ ...event, id: String(asked) }], more: asked < pages }),
        )
      }
    }
    after(() => (globalThis.fetch = fetch))

    it('are the newest ones, newest first', async () => {
      answering(3)
      const { events, more } = await readEvents({ base: '', apiKey: 'k' })
      assert.deepEqual([events.map(({ id }) => id), more], [['3', '2', '1'], false])
    })

    it('are marked as incomplete if there are too many to read', async () => {
      answering(1000)
      const { more } = await readEvents({ base: '', apiKey: 'k' })
      assert.deepEqual([asked, more], [100, true])
    })

    it('are replaced by a message of the page if the service is unreachable', async () => {
      globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
      await assert.rejects(readEvents({ base: '', apiKey: 'k' }), { name: 'ApiError', code: 'unreachable' })
    })
  })
})

describe('streamed messages', () => {
  it('are found wherever the stream is split and whatever its line endings', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom('a', ':', ' ', '{', 'ü') }), {
            minLength: 1,
            maxLength: 3,
          }),
        ),
        fc.array(fc.nat(200)),
        (end, messages, cuts) => {
          const text = messages
            .map((lines) => [': alive', 'id: 7', ...lines.map((line) => `data: ${line}`), '', ''].join(end))
            .join('')
          const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
            (a, b) => a - b,
          )
          const stream = new StreamedMessages()
          const found = places.slice(1).flatMap((place, n) => stream.add(text.slice(places[n], place)))
          // a CR at the end of a chunk may be half of a line ending
          found.push(...stream.add(end === '\r' ? ':' : ''))
          assert.deepEqual(
            found,
            messages.map((lines) => lines.join('\n')),
          )
        },
      ),
    ))

  it('may have no space after the colon, no value and unknown fields', () => {
    const stream = new StreamedMessages()
    assert.deepEqual(stream.add('data:a\ndata\nevent: b\nretry: 5\n\nnothing\n\ndata: c'), ['a\n'])
    assert.deepEqual(stream.add('d\n\n'), ['cd'])
  })
})
