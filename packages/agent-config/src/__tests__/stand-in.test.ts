import assert from 'node:assert/strict'
import { hasMethods } from '@vidimus/core-types'
import { STAND_IN } from '../object-builder.js'

describe('stand-in for an object that failed to build', () => {
  it('passes as any part, so that it causes no further errors', () => {
    assert.ok(hasMethods(STAND_IN, 'query', 'write'))
    assert.ok(hasMethods({ database: STAND_IN }.database, 'announce'))
  })
})
