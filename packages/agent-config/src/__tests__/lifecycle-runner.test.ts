import assert from 'node:assert/strict'
import { AgentError, type CheckResult, type Lifecycle } from '@vidimus/core-types'
import { LifecycleRunner, type Participant } from '../lifecycle-runner.js'

const keep = (_participant: Participant, error: unknown) => error

/** Three participants that record what happens to them. */
function recorded(changes: Record<string, Lifecycle> = {}) {
  const log: string[] = []
  const runner = new LifecycleRunner(20)
  for (const name of ['a', 'b', 'c']) {
    const write = (what: string) => {
      log.push(`${what} ${name}`)
      return Promise.resolve()
    }
    const lifecycle = { start: () => write('start'), stop: () => write('stop'), ...changes[name] }
    runner.add({ name, lifecycle })
  }
  return { log, runner }
}
const failing = (message: string) => () => Promise.reject(new Error(message))

describe('starting and stopping', () => {
  it('follow a fixed order', async () => {
    const { log, runner } = recorded()
    await runner.start(keep)
    await runner.stop()
    assert.deepEqual(log, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
  })

  it('happen once', async () => {
    const { log, runner } = recorded()
    await runner.start(keep)
    await runner.start(keep)
    await runner.stop()
    await runner.stop()
    assert.equal(log.length, 6)
    await assert.rejects(runner.start(keep), /cannot be restarted/)
  })

  it('include objects that were added later', async () => {
    const { log, runner } = recorded()
    await runner.start(keep)
    runner.add({ name: 'd', lifecycle: { start: async () => void log.push('start d') } })
    await runner.start(keep)
    assert.equal(log.at(-1), 'start d')
    assert.equal(log.length, 4)
  })

  it('handle a shared lifecycle once', async () => {
    const { log, runner } = recorded()
    const lifecycle = { start: async () => void log.push('start shared') }
    runner.add({ name: 'x', lifecycle })
    runner.add({ name: 'y', lifecycle })
    await runner.start(keep)
    assert.equal(log.filter((line) => line === 'start shared').length, 1)
  })

  it('stop only what was started when one object fails', async () => {
    const { log, runner } = recorded({ b: { start: failing('b is broken') } })
    await assert.rejects(runner.start(keep), /b is broken/)
    assert.deepEqual(log, ['start a', 'stop a'])
    await runner.stop()
    assert.equal(log.length, 2)
  })

  it('throw the explained error', async () => {
    const { runner } = recorded({ b: { start: failing('b is broken') } })
    await assert.rejects(
      runner.start(({ name }, error) => new Error(`${name}: ${(error as Error).message}`)),
      /^Error: b: b is broken$/,
    )
  })

  it('warn about objects that fail to stop after a failed start', async () => {
    const { runner } = recorded({
      a: { stop: failing('a does not stop') },
      b: { start: failing('b is broken') },
    })
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    await assert.rejects(runner.start(keep), /b is broken/)
    assert.equal((await warned).message, 'a does not stop')
  })

  it('stop everything even if some objects fail', async () => {
    const { log, runner } = recorded({ a: { stop: failing('no a') }, c: { stop: failing('no c') } })
    await runner.start(keep)
    await assert.rejects(runner.stop(), (error: unknown) => {
      assert.ok(error instanceof AggregateError)
      assert.deepEqual(
        error.errors.map((inner: Error) => inner.message),
        ['no c', 'no a'],
      )
      return true
    })
    assert.deepEqual(log.slice(-1), ['stop b'])
    await runner.stop()
  })

  it('keep `this`', async () => {
    class Door {
      open = false
      start() {
        this.open = true
        return Promise.resolve()
      }
    }
    const door = new Door()
    const runner = new LifecycleRunner(20)
    runner.add({ name: 'door', lifecycle: door })
    await runner.start(keep)
    assert.ok(door.open)
  })
})

describe('health checks', () => {
  const ok: CheckResult = { name: 'fine', ok: true }
  const checked = (check: Lifecycle['check']) => {
    const runner = new LifecycleRunner(20)
    runner.add({ name: 'first', lifecycle: { check: () => Promise.resolve([ok]) } })
    runner.add({ name: 'second', lifecycle: check ? { check } : {} })
    return runner.check()
  }

  it('return the results of all objects', async () => {
    assert.deepEqual(await checked(async () => [{ name: 'x', ok: false, message: 'is full' }]), [
      ok,
      { name: 'x', ok: false, message: 'is full' },
    ])
    assert.deepEqual(await checked(undefined), [ok])
  })

  it('fail if they throw, and show only what is meant to be shown', async () => {
    assert.deepEqual(await checked(failing('connect ECONNREFUSED 10.0.0.7')), [
      ok,
      { name: 'second', ok: false, message: 'the check itself failed' },
    ])
    const known = () => Promise.reject(new AgentError('ledger_unavailable', 'the ledger does not answer'))
    assert.deepEqual((await checked(known))[1], {
      name: 'second',
      ok: false,
      message: 'the ledger does not answer',
    })
    const synchronous = () => {
      throw new Error('x')
    }
    assert.equal((await checked(synchronous))[1]?.ok, false)
  })

  it('fail if they hang or return nothing', async () => {
    const hanging = () => new Promise<CheckResult[]>(() => undefined)
    assert.deepEqual(await checked(hanging), [
      ok,
      { name: 'second', ok: false, message: 'did not answer within 0.02 s' },
    ])
    assert.equal((await checked((async () => undefined) as never))[1]?.ok, false)
  })

  it('only warn where the object says so, also if they hang or throw', async () => {
    const warnings = async (check: () => Promise<CheckResult[]>) => {
      const runner = new LifecycleRunner(5)
      runner.add({ name: 'provider', lifecycle: { check, checkWarns: true } })
      await runner.start(keep)
      return (await runner.check()).map(({ ok, warning }) => [ok, warning])
    }
    assert.deepEqual(await warnings(() => new Promise(() => undefined)), [[false, true]])
    assert.deepEqual(await warnings(failing('x')), [[false, true]])
  })

  it('are not called again while they hang', async () => {
    let calls = 0
    let finish: (results: CheckResult[]) => void = () => undefined
    const runner = new LifecycleRunner(5)
    const check = () => {
      calls++
      return new Promise<CheckResult[]>((resolve) => (finish = resolve))
    }
    runner.add({ name: 'slow', lifecycle: { check } })
    await runner.check()
    await runner.check()
    assert.equal(calls, 1)
    const third = runner.check()
    finish([ok])
    assert.deepEqual(await third, [ok])
    void runner.check()
    assert.equal(calls, 2)
  })
})

describe('diagnosis', () => {
  it('uses `diagnose` where it exists, and health checks otherwise', async () => {
    const runner = new LifecycleRunner(20)
    const warning = { name: 'first', level: 'warn', message: 'little money', advice: 'send some' } as const
    runner.add({ name: 'first', lifecycle: { diagnose: async () => [warning], check: failing('not asked') } })
    runner.add({
      name: 'second',
      lifecycle: {
        check: async () => [
          { name: 'second', ok: true },
          { name: 'third', ok: false, message: 'is away' },
        ],
      },
    })
    runner.add({ name: 'fourth', lifecycle: {} })
    const found = await runner.diagnose()
    assert.deepEqual(
      found.map(({ advice: _, ...finding }) => finding),
      [
        { name: 'first', level: 'warn', message: 'little money' },
        { name: 'second', level: 'ok', message: 'works' },
        { name: 'third', level: 'fail', message: 'is away' },
      ],
    )
    assert.ok(found.every(({ level, advice }) => (level === 'ok') === (advice === undefined)))
  })

  it('fails if it throws, and shows only what is meant to be shown', async () => {
    const look = async (error: Error) => {
      const runner = new LifecycleRunner(20)
      runner.add({ name: 'ledger', lifecycle: { diagnose: () => Promise.reject(error) } })
      const [finding] = await runner.diagnose()
      return `${finding?.level}: ${finding?.message}`
    }
    assert.equal(await look(new AgentError('unavailable', 'it is away')), 'fail: it is away')
    assert.equal(await look(new Error('password=hidden')), 'fail: the check failed')
  })
})
