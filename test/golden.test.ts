import assert from 'node:assert/strict'
import { judgeFolder, OWN_CASES } from './golden/golden.js'

const TENTH = 0.1

describe('golden cases', () => {
  it('get the same verdicts as from a cheqd node', async () => {
    const { cases, stricter, disagreements } = await judgeFolder(OWN_CASES)
    const told = disagreements.map(
      ({ file, name, differences }) => `${file}: ${name}: ${differences.join('; ')}`,
    )
    assert.deepEqual(told, [])
    assert.ok(cases > 2000, `${cases} cases`)
    assert.ok(stricter <= cases * TENTH, `${stricter} of ${cases} cases are stricter`)
  })
})
