import assert from 'node:assert/strict'
import { AgentError } from '@vidimus/core-types'
import { DatabaseError } from '@vidimus/database'
import { unlessFull } from '../unless-full.js'

describe('a repeated task', () => {
  const failure = (code: string) =>
    new AgentError('unavailable', 'no', { cause: new DatabaseError('no', code) })

  it('fails, except on a full disk', async () => {
    for (const full of ['SQLITE_FULL', '53100']) await unlessFull(Promise.reject(failure(full)))
    for (const other of [failure('SQLITE_BUSY'), new Error('no')])
      await assert.rejects(unlessFull(Promise.reject(other)), other)
  })
})
