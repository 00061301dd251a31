import assert from 'node:assert/strict'
import { AgentError } from '@vidimus/core-types'
import { DatabaseError } from '@vidimus/database'
import { RecoveryHealth } from '../recovery-health.js'

describe('health of the recovery', () => {
  const afterFailing = async (error: Error) => {
    const health = new RecoveryHealth()
    for (let n = 0; n < 3; n++) await assert.rejects(health.of(Promise.reject(error)), error)
    return health.check().ok
  }

  it('degrades if passes keep failing, except on a full disk', async () => {
    assert.equal(await afterFailing(new Error('broken')), false)
    const cause = new DatabaseError('full', 'SQLITE_FULL')
    assert.equal(await afterFailing(new AgentError('unavailable', 'full', { cause })), true)
  })
})
