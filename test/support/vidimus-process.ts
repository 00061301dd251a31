import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
export const vidimus = join(root, 'packages/cli/bin/vidimus.js')

/** Compiling what it loads is a tenth of a start; V8 counts calls exactly without it alone. */
export const COMPILED = process.env.NODE_V8_COVERAGE
  ? {}
  : { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/vidimus-tests') }

/** A command of the command line in a process of its own, which can be killed. */
export function beginVidimus(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  { node = [], input }: { node?: readonly string[]; input?: string | undefined } = {},
) {
  const child = spawn(process.execPath, [...node, vidimus, ...args], {
    cwd: root,
    env: { ...COMPILED, ...environment },
    stdio: 'pipe',
  })
  child.stdin.end(input)
  const output = { printed: '', complained: '' }
  child.stdout.on('data', (text: Buffer) => (output.printed += text.toString()))
  child.stderr.on('data', (text: Buffer) => (output.complained += text.toString()))
  const closed = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, closed }
}
