import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { CommandOutcome } from './command-here.js'
import { installationOf, type ServiceOptions } from './service.js'
import type { StartRequest } from './start-process.js'

/** Longer than any start takes that is refused; one that is not goes on for ever. */
const MOST_MS = 60_000

let starter: ChildProcess | undefined

/**
 * Starts the service where that must fail. To be asked one after the other: all starts are those of one process.
 *
 * @returns how it ended, and everything that it wrote
 * @throws AssertionError where it starts
 */
export async function refusedStart(options: ServiceOptions = {}): Promise<{ code: number; says: string }> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'vidimus-refused-')))
  try {
    const { file, environment } = await installationOf({ ...options, dataDirectory })
    const { code, printed, complained } = await commandElsewhere({
      args: ['start', '--config', file],
      environment,
    })
    return { code, says: printed + complained }
  } finally {
    if (options.dataDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true })
  }
}

/** Runs a command in one process that all of them have; to be asked one after the other. */
export async function commandElsewhere(request: StartRequest): Promise<CommandOutcome> {
  const process = (starter ??= startProcess())
  const late = new AbortController()
  const answer = once(process, 'message', { signal: late.signal }).then(
    ([outcome]) => outcome as CommandOutcome,
  )
  answer.catch(() => undefined)
  process.send(request)
  const outcome = await Promise.race([answer, setTimeout(MOST_MS, undefined, { signal: late.signal })])
  late.abort()
  if (!outcome) process.kill('SIGKILL')
  return outcome ?? assert.fail('it does not end')
}

function startProcess(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'start-process.ts'), {
    execArgv: ['--import=tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.once('exit', () => (starter = undefined))
  child.unref()
  child.channel?.unref()
  return child
}
