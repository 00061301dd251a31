import assert from 'node:assert/strict'
import { hasMethods } from '@vidimus/core-types'
import { STAND_IN } from '../stand-in.js'

describe('what stands in for an object that could not be built', () => {
  it('is taken for any part, so that nothing is said against it', () => {
    assert.ok(hasMethods(STAND_IN, 'query', 'write'))
    assert.ok(hasMethods({ database: STAND_IN }.database, 'announce'))
  })
})
