import assert from 'node:assert/strict'
import { judgeFolder, OWN_CASES } from './golden/golden.js'

/** Gas, and refusals of transactions for their fees, which nothing here is held against yet. */
const NOT_JUDGED = 131
const TENTH = 0.1

describe('golden cases', () => {
  it('are judged as a node of cheqd judged them', async () => {
    const { cases, stricter, disagreements } = await judgeFolder(OWN_CASES)
    const told = disagreements.map(
      ({ file, name, differences }) => `${file}: ${name}: ${differences.join('; ')}`,
    )
    const [unjudged, others] = [told.filter(isUnjudged), told.filter((one) => !isUnjudged(one))]
    assert.deepEqual(others, [])
    assert.equal(unjudged.length, NOT_JUDGED)
    assert.ok(cases > 2000, `${cases} cases`)
    assert.ok(stricter <= cases * TENTH, `${stricter} of ${cases} cases are stricter`)
  })
})

const isUnjudged = (sentence: string) => sentence.endsWith('nothing here judges it')
