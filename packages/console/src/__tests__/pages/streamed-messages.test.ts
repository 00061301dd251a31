import assert from 'node:assert/strict'
import fc from 'fast-check'
import { StreamedMessages } from '../../pages/streamed-messages.js'

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
