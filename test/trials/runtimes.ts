import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { read, root } from '../support/repository.js'
import type { Figures, Form, Trial } from './trial.js'

interface Runs {
  /** release lines; without one, the Node.js of this process */
  lines: (number | undefined)[]
  /** of `npm test` */
  given: string[]
}

const RUNS: Record<Form, Runs> = {
  full: { lines: [22, 24, 26], given: [] },
  short: { lines: [undefined], given: ['--spec', 'packages/core-types/src/__tests__/account*.test.ts'] },
}

const pins = JSON.parse(read('scripts/node-runtime.json')) as Record<string, { package: string } | undefined>
const packageOfNode = pins[`${process.platform} ${process.arch}`]?.package

/** Runs `npm test` on the newest release of a line, which npm fetches. */
async function test(line: number | undefined, given: string[]): Promise<string> {
  const [command, ...first] =
    line === undefined
      ? [process.execPath]
      : ['npx', '--yes', '--package', `${packageOfNode}@${line}`, '--', 'node']
  const child = spawn(command ?? '', [...first, 'scripts/test.mjs', ...given], {
    cwd: root,
    env: { ...process.env, VIDIMUS_NODE: 'system', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ])
  const [passed] = /^ *\d+ passing.*$/m.exec(printed) ?? []
  assert.equal(code, 0, passed === undefined ? printed : printed.slice(printed.indexOf(passed)))
  return passed?.trim() ?? assert.fail(printed)
}

export const runtimes: Trial = {
  name: 'runtimes',
  rule: 'The default tier of the tests passes on Node.js 22, 24 and 26.',
  mostMinutes: 90,
  async run(form) {
    const { lines, given } = RUNS[form]
    const figures: Figures = {}
    for (const line of lines) figures[`Node.js ${line ?? process.versions.node}`] = await test(line, given)
    return figures
  },
  obstacle: () =>
    Promise.resolve(packageOfNode ? undefined : `npm has no Node.js for ${process.platform} ${process.arch}`),
}
