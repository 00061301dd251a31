import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AUDIT_EVENTS, ERROR_CODES, type StatusListType } from '@vidimus/core-types'
import { CONFIGURED_OBJECTS, WITHOUT_OPTIONS } from '../scripts/reference/configured-objects.js'
import { namedObjects } from '../scripts/reference/configuration.js'
import { referencePages } from '../scripts/reference/pages.js'
import { statusListTypeChecks } from '../packages/status-list-testing/src/index.js'
import { DEFAULT_METHODS, LEFT_OUT } from '../packages/remote-server/src/rpc/method-list.js'
import { documentationPages } from './support/documentation-pages.js'
import { read, root } from './support/repository.js'

const pages = documentationPages()

/** Those of some names that no file of tests in these folders has as a whole text. */
function unnamed(names: readonly string[], ...folders: string[]): string[] {
  const texts = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/^(documentation\.test|support|trials)/.test(name))
      .map((name) => read(join(folder, name))),
  )
  return names.filter((name) => !texts.some((text) => new RegExp(`['/]${name}['/]`).test(text)))
}

/** Error codes that no request can provoke, and why. */
const NO_ANSWERS: Readonly<Record<string, string>> = {
  invalid_presentation: 'the checks of a verdict say it in words',
  wrong_secret: 'the service does not start with one',
}

describe('documentation', () => {
  it('lists every error code with its meaning', () => {
    const rows = Object.entries(ERROR_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
    const text = read('docs/errors.md').replace(/ +\|/g, ' |')
    assert.deepEqual(
      rows.filter((row) => !text.includes(row)),
      [],
    )
    const listed = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code)
    assert.deepEqual(
      listed.filter((code) => !(code in ERROR_CODES)),
      [],
    )
  })

  it('lists no error code that no request of a test provokes', () => {
    const unseen = unnamed(Object.keys(ERROR_CODES), 'test', 'packages/remote-server/src/__tests__')
    assert.deepEqual(unseen.sort(), Object.keys(NO_ANSWERS).sort())
  })

  it('lists no event of the audit trail that no test sets going and reads', () => {
    assert.deepEqual(unnamed(Object.keys(AUDIT_EVENTS), 'test'), [])
  })

  it('compares every operation with that of cheqd Studio', () => {
    const served = [...read('docs/reference/operations.md').matchAll(/^### `([A-Z]+ \/.*)`$/gm)]
    const compared = [...read('docs/from-cheqd-studio.md').matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)]
    const names = (found: RegExpExecArray[]) => found.map(([, name]) => name)
    assert.ok(served.length > 50)
    assert.deepEqual(names(compared), names(served))
  })

  it('has examples of which address is unreachable and which variable names another', () => {
    const unreachable = 'http://127.0.0.1:1'
    const header = Buffer.from('{"alg":"EdDSA","kid":"did:example:1#1"}').toString('base64url')
    const runs: [file: string, variable: string, ...args: string[]][] = [
      ['examples/verifier/verify.mjs', 'RESOLVER', `${header}.e30.x`],
      ['examples/remote-agent/build/main.js', 'VIDIMUS_URL'],
    ]
    for (const [file, variable, ...args] of runs) {
      const env = { ...process.env, [variable]: unreachable }
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, file), ...args], {
        env,
        encoding: 'utf8',
      })
      assert.equal(status, 1, stderr)
      assert.match(stdout + stderr, new RegExp(`${unreachable}.*${variable} names another`))
      assert.doesNotMatch(stdout + stderr, /\n\s+at |fetch failed/)
    }
  })

  it('contains the address of the service once per page, so that its commands can be run elsewhere', () => {
    const more = pages.filter((page) => {
      const commands = [...read(page).matchAll(/```sh\n([^]*?)```/g)].map(([, code]) => code)
      return commands.join('').split('http://127.0.0.1:3332').length > 2
    })
    assert.deepEqual(more, [])
  })

  it('has no broken link between its pages', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(resolve(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    )
    assert.deepEqual(broken, [])
  })

  it('refers to existing tests in its threat model, and where it says what must stay', () => {
    const text = read('docs/threat-model.md') + read('ARCHITECTURE.md')
    const named = [...text.matchAll(/`((?:test|packages)\/[\w./-]+\.ts)`: "(.+?)" +\|/g)]
    assert.ok(named.length > 45, String(named.length))
    const missing = named
      .filter(([, file = '', title = '']) => !existsSync(join(root, file)) || !read(file).includes(title))
      .map(([found]) => found)
    assert.deepEqual(missing, [])
  })

  it('names only functions that are where its walk through the service says', () => {
    const links = [...read('docs/walk.md').matchAll(/\[((?:`\w+`(?:, )?)+)\]\(\.\.\/(packages\/[^)]+)\)/g)]
    const named = links.flatMap(([, words = '', file = '']) =>
      [...words.matchAll(/\w+/g)].map(([word]) => ({ word, file })),
    )
    assert.ok(named.length > 40, String(named.length))
    const missing = named.filter(({ word, file }) => !new RegExp(`\\b${word}\\b`).test(read(file)))
    assert.deepEqual(missing, [])
    assert.ok(read('docs/walk.md').split('\n').length <= 150)
  })

  it('has a heading for every link into a page', () => {
    // As GitHub makes anchors of headings.
    const anchorsOf = (page: string) =>
      [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      )
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
        .filter(([, target = '', anchor = '']) => {
          const file = target === '' ? page : join(dirname(page), target)
          return file.endsWith('.md') && !anchorsOf(file).includes(anchor)
        })
        .map(([link]) => `${page}: ${link}`),
    )
    assert.deepEqual(broken, [])
  })

  it('lists every page in the table of contents', () => {
    const index = read('docs/README.md')
    const missing = pages
      .filter(
        (page) => page.startsWith('docs/') && !page.startsWith('docs/adr/') && page !== 'docs/README.md',
      )
      .filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))
    assert.deepEqual(missing, [])
  })

  it('has a reference that matches the sources', async () => {
    for (const [path, text] of Object.entries(await referencePages())) {
      assert.equal(read(path), text, `${path} is not up to date: npm run docs`)
    }
  })

  it('has a reference for every object in agent.yml', async () => {
    const known = [...CONFIGURED_OBJECTS.map(({ reference }) => reference), ...WITHOUT_OPTIONS]
    const named = await namedObjects()
    assert.deepEqual(
      named.filter((each) => !known.includes(each)),
      [],
    )
    assert.deepEqual(
      known.filter((each) => !named.includes(each)),
      [],
    )
  })

  it('shows a list type that passes the conformance kit', async () => {
    const [, code = ''] = /```ts\n(.*?)```/s.exec(read('docs/list-types.md')) ?? []
    // inside of the project, where its packages are found
    const folder = mkdtempSync(join(root, 'examples/list-type-plugin/build/documented-'))
    try {
      writeFileSync(join(folder, 'block-list.ts'), code)
      const { BlockList } = (await import(join(folder, 'block-list.ts'))) as { BlockList: StatusListType }
      const checks = statusListTypeChecks(BlockList)
      assert.ok(checks.length > 20)
      for (const { title, run } of checks) {
        await run().catch((error: unknown) => assert.fail(`${title}: ${String(error)}`))
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('lists every method that remote agents can call, and those that must be enabled by name', () => {
    const text = read('docs/remote-agents.md')
    const [, listed = '', named = ''] = /alone, or read.*?\n\|(.*?)\n\n`did.*?\n\|(.*?)\n\n/s.exec(text) ?? []
    const methods = (table: string) => [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort()
    assert.deepEqual(methods(listed), [...DEFAULT_METHODS].sort())
    assert.deepEqual(methods(named), Object.keys(LEFT_OUT).sort())
  })

  it('documents exactly the variables that agent.yml reads', () => {
    const variables = new Set(
      [...read('agent.yml').matchAll(/^[^#\n]*\$env: ([A-Z_]+)/gm)].map(([, name = '']) => name),
    )
    const documented = new Set(
      [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name),
    )
    assert.deepEqual([...variables].sort(), [...documented].sort())
  })
})
