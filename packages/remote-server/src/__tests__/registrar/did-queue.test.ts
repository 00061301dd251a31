import assert from 'node:assert/strict'
import { inDidQueue } from '../../registrar/did-queue.js'

describe('inDidQueue', () => {
  it('processes one DID sequentially, even after a failure, without blocking others', async () => {
    const agent = {}
    const log: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const work = (name: string, waiting?: Promise<void>) => async () => {
      log.push(`${name} begins`)
      await waiting
      log.push(`${name} ends`)
      if (name === 'a1') throw new Error('refused')
      return name
    }
    const first = inDidQueue(agent, 'a', work('a1', held))
    const second = inDidQueue(agent, 'a', work('a2'))
    const third = inDidQueue(agent, 'a', work('a3'))
    assert.equal(await inDidQueue(agent, 'b', work('b')), 'b')
    assert.equal(await inDidQueue({}, 'a', work('elsewhere')), 'elsewhere')
    release()
    await assert.rejects(first, /refused/)
    assert.deepEqual(await Promise.all([second, third]), ['a2', 'a3'])
    const ofA = log.filter((line) => line.startsWith('a'))
    assert.deepEqual(ofA, ['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends', 'a3 begins', 'a3 ends'])
    assert.ok(log.indexOf('b ends') < log.indexOf('a1 ends'))
  })
})
