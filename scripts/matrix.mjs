// npm run test:matrix: the tests that touch what differs between versions of Node.js (native modules, crypto, streams, HTTP,
// module loading, processes) under each version that is supported. Each version comes from npm; nothing is built anew.
//
//   npm run test:matrix              all versions
//   npm run test:matrix -- 24        one of them
//   npm run test:matrix -- 24 --all  with every test there is
import { spawnSync } from 'node:child_process'
import { readyToRun, root } from './ready-to-run.mjs'

const SUPPORTED = ['20', '22', '24']
const SPECS = [
  'packages/{agent-config,cli,database,database-archive,did-resolver-*,kms-node}/src/**/__tests__/**/*.test.ts',
  'test/{service,start,documented-commands.slow}.test.ts',
]

const given = process.argv.slice(2)
const versions = given.filter((each) => each !== '--all')
const specs = given.includes('--all')
  ? ['{packages,examples}/*/src/**/__tests__/**/*.test.ts', 'test/**/*.test.ts']
  : SPECS

await readyToRun()
const outcomes = (versions.length > 0 ? versions : SUPPORTED).map((version) => {
  console.log(`\n# Node.js ${version}`)
  const node = ['--yes', '--package', `node@${version}`, '--', 'node']
  const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--node-option', 'import=tsx']
  const { status } = spawnSync(
    'npx',
    [...node, ...mocha, '--timeout', '120000', '--exit', ...specs.flatMap((spec) => ['--spec', spec])],
    { cwd: root, stdio: 'inherit' },
  )
  return { version, passed: status === 0 }
})
console.log('')
for (const { version, passed } of outcomes) console.log(`Node.js ${version}: ${passed ? 'passed' : 'FAILED'}`)
process.exit(outcomes.every(({ passed }) => passed) ? 0 : 1)
