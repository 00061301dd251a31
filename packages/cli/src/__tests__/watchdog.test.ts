import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const SILENCE_MS = 400
const source = (name: string) => pathToFileURL(resolve(import.meta.dirname, '..', name)).href
const watchdog = source('watchdog.ts')

/** A process under the watchdog that obeys commands; it writes `ready` once it is watched. */
class Watched {
  readonly ended: Promise<unknown>
  stderr = ''
  #stdout = ''

  private constructor(readonly child: ChildProcess) {
    this.ended = once(child, 'exit')
    child.stdout?.on('data', (text: Buffer) => (this.#stdout += text.toString()))
  }

  static async start(silenceMs: number, flags: readonly string[] = []): Promise<Watched> {
    const script = `import { writeSync } from 'node:fs'
      import { startWatchdog } from ${JSON.stringify(watchdog)}
      import { watchRequests } from ${JSON.stringify(source('requests-watch.ts'))}
      startWatchdog(${silenceMs})
      const server = {
        watchdogMs: ${silenceMs}, isAtFault: true, asked: 0, isFull: false, ended: 0,
        get requests() { return { isFull: this.isFull, ended: this.ended } },
        async hangsByItself() { this.asked += 1; return this.isAtFault },
      }
      watchRequests(server)
      process.stdin.on('data', (code) => eval(code.toString()))
      setTimeout(() => writeSync(1, 'ready'), ${silenceMs})`
    const child = spawn(process.execPath, [
      ...flags,
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      script,
    ])
    const watched = new Watched(child)
    await watched.says('ready')
    return watched
  }

  readStderr(): this {
    this.child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()))
    return this
  }

  tell(code: string): void {
    this.child.stdin?.write(code)
  }

  async says(word: string): Promise<void> {
    while (!this.#stdout.includes(word)) {
      assert.equal(
        this.child.exitCode ?? this.child.signalCode,
        null,
        `it ended without "${word}" ${this.child.signalCode} ${this.stderr}`,
      )
      await pause(20)
    }
  }

  async end(): Promise<void> {
    this.tell('process.exit(0)')
    assert.deepEqual(await this.ended, [0, null])
  }
}

describe('the watchdog', () => {
  it('terminates and reports a process with a blocked event loop', async () => {
    const watched = (await Watched.start(SILENCE_MS)).readStderr()
    watched.tell('for (;;);')
    assert.deepEqual(await watched.ended, [null, 'SIGKILL'])
    assert.match(watched.stderr, /event loop has not responded for 400 ms \(watchdogMs\).*SIGKILL\n$/)
  })

  it('terminates it even if nobody reads its output', async () => {
    const watched = await Watched.start(SILENCE_MS)
    watched.tell(`for (;;) try { writeSync(2, 'x'.repeat(65536)) } catch {}`)
    assert.deepEqual(await watched.ended, [null, 'SIGKILL'])
  })

  it('spares a process that was only suspended for a while', async () => {
    const watched = (await Watched.start(SILENCE_MS)).readStderr()
    // Afterwards the watchdog runs before the main thread does.
    watched.tell(`
      writeSync(1, 'stopping')
      process.kill(process.pid, 'SIGSTOP')
      const before = process.cpuUsage()
      while (process.cpuUsage(before).user < 10_000);
      setTimeout(() => writeSync(1, 'again'), ${SILENCE_MS / 2})`)
    await watched.says('stopping')
    await pause(3 * SILENCE_MS)
    watched.child.kill('SIGCONT')
    await watched.says('again')
    await watched.end()
    assert.equal(watched.stderr, '')
  })

  for (const [when, silenceMs, flags] of [
    ['when switched off', 0, []],
    ['under a debugger', SILENCE_MS, ['--inspect=127.0.0.1:0']],
  ] as const) {
    it(`does nothing ${when}`, async () => {
      const watched = await Watched.start(silenceMs, flags)
      watched.tell(`const end = Date.now() + ${3 * SILENCE_MS}; while (Date.now() < end);`)
      await watched.end()
    })
  }

  it('keeps no process alive', async () => {
    const watched = await Watched.start(SILENCE_MS)
    watched.tell('process.stdin.destroy()')
    assert.deepEqual(await watched.ended, [0, null])
  })

  describe('for requests', () => {
    it('terminates and reports a process that is full of requests that never end', async () => {
      const watched = (await Watched.start(SILENCE_MS)).readStderr()
      watched.tell('server.isFull = true')
      assert.deepEqual(await watched.ended, [null, 'SIGKILL'])
      assert.match(
        watched.stderr,
        /no request has completed for 400 ms, and no more can be accepted \(watchdogMs\).*SIGKILL\n$/,
      )
    })

    it('spares a process whose requests wait for a known reason, and checks again', async () => {
      const watched = (await Watched.start(SILENCE_MS)).readStderr()
      watched.tell(`
        Object.assign(server, { isFull: true, isAtFault: false })
        setInterval(() => server.asked >= 3 && writeSync(1, 'looked'), 10)`)
      await watched.says('looked')
      watched.tell('server.isAtFault = true')
      assert.deepEqual(await watched.ended, [null, 'SIGKILL'])
    })

    it('spares a process whose requests end now and then, even while looking for the reason', async () => {
      const watched = (await Watched.start(SILENCE_MS)).readStderr()
      watched.tell(`
        server.hangsByItself = async function () {
          this.ended += 1
          this.asked += 1
          if (this.asked === 2) {
            setInterval(() => (this.ended += 1), ${SILENCE_MS / 8})
            setTimeout(() => writeSync(1, this.asked === 2 ? 'left alone' : 'asked again'), ${4 * SILENCE_MS})
          }
          return true
        }
        server.isFull = true`)
      await watched.says('left alone')
      await watched.end()
      assert.equal(watched.stderr, '')
    })
  })
})
