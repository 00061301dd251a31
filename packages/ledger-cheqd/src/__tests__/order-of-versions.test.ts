import assert from 'node:assert/strict'
import fc from 'fast-check'
import { inOrderOfLinks } from '../order-of-versions.js'

interface Version {
  id: string
  previousVersionId: string
  created: Date
}

/** Chains of versions in the order in which a ledger got them, several in a block. */
const history = fc
  .array(fc.record({ chain: fc.nat({ max: 2 }), sameBlock: fc.boolean(), id: fc.uuid() }), { maxLength: 30 })
  .map((steps) => {
    const newest = new Map<number, string>()
    let time = 0
    return steps.map(({ chain, sameBlock, id }): Version => {
      if (!sameBlock) time += 1_000
      const previousVersionId = newest.get(chain) ?? ''
      newest.set(chain, id)
      return { id, previousVersionId, created: new Date(time) }
    })
  })

describe('inOrderOfLinks', () => {
  it('puts no version before its predecessor or before an older block', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (versions, random) => {
        fc.pre(new Set(versions.map(({ id }) => id)).size === versions.length)
        const shuffled = versions
          .map((version) => ({ version, at: Number(random.next().value) }))
          .sort((one, other) => one.at - other.at)
          .map(({ version }) => version)
        const ordered = inOrderOfLinks(shuffled, { idOf: ({ id }) => id, timeOf: ({ created }) => created })
        const place = new Map(ordered.map(({ id }, n) => [id, n]))
        ordered.forEach((version, n) => {
          assert.ok((place.get(version.previousVersionId) ?? -1) < n)
          assert.ok((ordered[n - 1]?.created ?? new Date(0)) <= version.created)
        })
        assert.equal(ordered.length, versions.length)
      }),
    )
  })
})
