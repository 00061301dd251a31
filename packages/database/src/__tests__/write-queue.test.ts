import assert from 'node:assert/strict'
import { runInAccountScope } from '@vidimus/core-types'
import type { RunningTransaction } from '../batched-work.js'
import { WriteQueue } from '../write-queue.js'
import { SqliteFolder } from './sqlite-folder.js'

describe('write queue', () => {
  let folder: SqliteFolder
  before(async () => {
    folder = await SqliteFolder.create()
  })
  after(() => folder.remove())

  it('alternates between accounts, however many writes one of them has waiting', async () => {
    const database = await folder.open()
    const order: string[] = []
    const write = (name: string) =>
      runInAccountScope({ id: name, name, createdAt: '2026-01-01T00:00:00.000Z' }, () =>
        database.write(() => Promise.resolve(order.push(name))),
      )
    const greedy = Array.from({ length: 1000 }, () => write('greedy'))
    const neighbour = Array.from({ length: 3 }, () => write('neighbour'))
    await Promise.all([...greedy, ...neighbour])
    assert.ok(order.lastIndexOf('neighbour') < 10, String(order.lastIndexOf('neighbour')))
  })
  it('makes nobody wait for more than 64 writes that share a COMMIT', async () => {
    const running: RunningTransaction = {
      query: () => Promise.resolve([]),
      run: () => Promise.resolve(0),
      execute: () => Promise.resolve(),
      commit: () => Promise.resolve(),
      pipelined: false,
    }
    let transactions = 0
    const queue = new WriteQueue((works) => {
      transactions += 1
      return works(running)
    })
    const ofTransaction = await Promise.all(
      Array.from({ length: 130 }, () => queue.run(() => Promise.resolve(transactions))),
    )
    const sizes = [1, 2, 3].map((n) => ofTransaction.filter((each) => each === n).length)
    assert.deepEqual(sizes, [64, 64, 2])
  })
})
