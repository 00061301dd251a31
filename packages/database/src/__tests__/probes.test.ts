import assert from 'node:assert/strict'
import { AgentError } from '@vidimus/core-types'
import { DatabaseError } from '../errors.js'
import { Probes } from '../probes.js'
import { sql } from '../sql.js'

describe('health check statements', () => {
  let atOnce: number
  let most: number
  let asked: string[]
  let fails: (text: string) => Error | undefined
  const probes = new Probes(async (statement) => {
    const text = statement.text('sqlite')
    asked.push(text)
    atOnce += 1
    most = Math.max(most, atOnce)
    await new Promise(setImmediate)
    atOnce -= 1
    const error = fails(text)
    if (error) throw error
  })
  beforeEach(() => {
    atOnce = 0
    most = 0
    asked = []
    fails = () => undefined
  })
  const all = () =>
    Promise.allSettled([probes.run(sql`SELECT 1`), probes.run(sql`SELECT 2`), probes.run(sql`SELECT 3`)])
  const outcomes = async () => (await all()).map(({ status }) => status)

  it('share one connection, however many run concurrently', async () => {
    assert.deepEqual(await outcomes(), ['fulfilled', 'fulfilled', 'fulfilled'])
    assert.deepEqual([most, asked], [1, ['SELECT 1', 'SELECT 2', 'SELECT 3']])
  })

  it('fail independently', async () => {
    fails = (text) => (text === 'SELECT 2' ? new Error('no such table') : undefined)
    assert.deepEqual(await outcomes(), ['fulfilled', 'rejected', 'fulfilled'])
  })

  it('fail together while the database is down, and are retried the next time', async () => {
    const cause = new DatabaseError('no', 'ECONNREFUSED')
    fails = () => new AgentError('unavailable', 'the database cannot be reached', { cause })
    assert.deepEqual(await outcomes(), ['rejected', 'rejected', 'rejected'])
    assert.deepEqual(asked, ['SELECT 1'])
    fails = () => undefined
    assert.deepEqual(await outcomes(), ['fulfilled', 'fulfilled', 'fulfilled'])
  })
})
