import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { documentedCommands } from './support/documented-commands.js'
import { tryPage, type PageSetting } from './support/documented-page.js'

const root = resolve(import.meta.dirname, '..')
const read = (page: string) => readFileSync(join(root, page), 'utf8')
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
  'deploy/README.md',
  ...readdirSync(join(root, 'examples')).map((name) => join('examples', name, 'README.md')),
].map((page) => ({ page, blocks: documentedCommands(page, read(page)) }))

const A_DID = `KEY=vidimus_...
DID=$(curl -H "x-api-key: $KEY" -d network=testnet http://127.0.0.1:3332/did/create | node -pe 'JSON.parse(fs.readFileSync(0)).did')`

const A_LIST = `${A_DID}
curl -H "x-api-key: $KEY" -d did=$DID -d statusListName=employees \\
  'http://127.0.0.1:3332/credential-status/create/unencrypted?listType=BitstringStatusList&statusPurpose=revocation'`

/** What the README of an example asks for: its lines under a line of `agent.yml`, as deep as those there. */
const withLines =
  (...lines: readonly (readonly [under: string, page: string, block: number])[]) =>
  (text: string) =>
    lines.reduce((rest, [under, page, block]) => {
      const yaml = [...read(page).matchAll(/```yaml\n([^]*?)```/g)][block]?.[1] ?? ''
      return rest.replace(new RegExp(`^( *)${under}.*\\n`, 'm'), (line, indent: string) =>
        [line, ...yaml.trimEnd().split('\n').map((each) => `${indent}${each}\n`)].join(''),
      )
    }, text)

const LIST_TYPE = 'examples/list-type-plugin/README.md'
const DID_METHOD = 'examples/did-method-plugin/README.md'

const SETTINGS: Record<string, PageSetting> = {
  'docs/api-keys.md': { before: 'vidimus account create acme' },
  'docs/operations.md': {
    before: `openssl rand -base64 24 > archive.passphrase
      vidimus export --file backup.age --passphrase-file archive.passphrase`,
  },
  'docs/resolving.md': { before: A_LIST },
  [LIST_TYPE]: { before: A_DID, configure: withLines(['- .*#BitstringStatusList', LIST_TYPE, 0]) },
  [DID_METHOD]: { before: A_DID },
}

describe('documented commands', () => {
  const runnable = pages
    .map(({ page, blocks }) => ({ page, blocks: blocks.filter(({ notRun }) => notRun === undefined) }))
    .filter(({ blocks }) => blocks.length > 0)
  const outcomes = new Map<number, Promise<string[]>>()
  const outcomeOf = (place: number): Promise<string[]> => {
    const { page, blocks } = runnable[place] ?? { page: '', blocks: [] }
    const outcome = outcomes.get(place) ?? (page === '' ? Promise.resolve([]) : tryPage(blocks, SETTINGS[page]))
    outcomes.set(place, outcome)
    return outcome
  }
  for (const [place, { page }] of runnable.entries()) {
    it(`of ${page} do what the page says`, async () => {
      // Those that come next begin meanwhile, as most of it is waiting.
      for (const next of [place + 1, place + 2]) outcomeOf(next).catch(() => undefined)
      const problems = await outcomeOf(place)
      assert.equal(problems.length, 0, problems.join('\n\n'))
    }).timeout(120_000)
  }
})
