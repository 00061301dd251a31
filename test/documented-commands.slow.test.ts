import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { commandsOfShells } from './support/commands-of-shells.js'
import { differencesOf, documentedCommands } from './support/documented-commands.js'
import { PostgresServer } from './support/postgres-server.js'
import { Service } from './support/service.js'
import { tryPage, type PageSetting } from './support/documented-page.js'
import { documentationPages } from './support/documentation-pages.js'
import { read } from './support/repository.js'

const pages = documentationPages().map((page) => ({ page, blocks: documentedCommands(page, read(page)) }))

const A_DID = `KEY=vidimus_...
DID=$(curl -H "x-api-key: $KEY" -d network=testnet http://127.0.0.1:3332/did/create | node -pe 'JSON.parse(fs.readFileSync(0)).did')`

const A_LIST = `${A_DID}
curl -H "x-api-key: $KEY" -d did=$DID -d statusListName=employees \\
  'http://127.0.0.1:3332/credential-status/create/unencrypted?listType=BitstringStatusList&statusPurpose=revocation'`

/** The README's change for an example: its lines before a line of `agent.yml`, with the same indentation. */
const withLines =
  (...lines: readonly (readonly [before: string, page: string, block: number])[]) =>
  (text: string, folder: string) =>
    lines
      .reduce((rest, [before, page, block]) => {
        const yaml = [...read(page).matchAll(/```yaml\n([^]*?)```/g)][block]?.[1] ?? ''
        return rest.replace(new RegExp(`^( *)${before}.*\\n`, 'm'), (line, indent: string) =>
          [
            ...yaml
              .trimEnd()
              .split('\n')
              .map((each) => `${indent}${each}\n`),
            line,
          ].join(''),
        )
      }, text)
      .replaceAll('./data/', `${folder}/data/`)

const LIST_TYPE = 'examples/list-type-plugin/README.md'
const DID_METHOD = 'examples/did-method-plugin/README.md'
const CREDENTIAL_FORMAT = 'examples/credential-format-plugin/README.md'

const SETTINGS: Record<string, PageSetting> = {
  'README.md': { fromNothing: true },
  'docs/tutorial.md': { fromNothing: true },
  'docs/api-keys.md': { before: 'vidimus account create acme', shared: true },
  'docs/audit.md': { shared: true },
  'docs/console.md': { shared: true },
  'docs/events.md': { shared: true },
  'docs/from-veramo.md': { shared: true },
  'docs/jobs.md': { shared: true },
  'docs/login.md': { shared: true },
  'docs/plugins.md': { shared: true },
  'docs/register.md': { shared: true },
  'docs/remote-command-line.md': { shared: true },
  'docs/work.md': { shared: true },
  'docs/moving.md': {
    instead: async () => ({
      'postgres://vidimus:...@db.example/vidimus': await (await PostgresServer.shared()).createDatabase(),
    }),
  },
  'docs/operations.md': {
    before: `openssl rand -base64 24 > archive.passphrase
      vidimus export --file backup.age --passphrase-file archive.passphrase`,
  },
  'docs/resolving.md': { before: A_LIST },
  'docs/static-publication.md': {
    configure: (text, folder) =>
      startingConfiguration(
        { database: 'sqlite', cheqd: [], kms: 'local', publish: 'directory' },
        text,
      ).replace('{ $env: VIDIMUS_PUBLISH_DIRECTORY }', `'${folder}/published'`),
  },
  [LIST_TYPE]: { before: A_DID, configure: withLines(['- .*#BitstringStatusList', LIST_TYPE, 0]) },
  [DID_METHOD]: {
    before: A_DID,
    configure: withLines(['did:key:', DID_METHOD, 0], ['key:', DID_METHOD, 1]),
  },
  [CREDENTIAL_FORMAT]: { before: A_DID, configure: withLines(['- .*#dataIntegrity', CREDENTIAL_FORMAT, 0]) },
}

/** Why some are not run; a reason more is a reason to think about. */
const NOT_RUN: Record<string, string[]> = {
  'README.md': [
    'it stays in the foreground; the test starts the same service',
    'they test the whole project, for minutes',
  ],
  'docs/remote-command-line.md': ['it needs an identity provider, and somebody with a browser'],
  'docs/hsm.md': [
    'it installs a package of the system',
    'it needs the token above',
    'it needs the token above',
    'it needs a token',
    'it needs a token',
  ],
  'docs/key-service.md': ['it needs a key service', 'it needs a key service', 'it needs a key service'],
  'docs/static-publication.md': ['it stays in the foreground', 'it needs a bucket'],
  'docs/moving.md': [
    'whoever runs PostgreSQL does it',
    'it stays in the foreground',
    'needs the program age, and asks for the passphrase',
  ],
  'docs/cheqd.md': [
    'needs a container engine',
    'a test of its own does it with a DID of the network',
    'a test of its own does it with a DID of the network',
    'needs a network and a payer',
  ],
  'docs/events.md': ['it stays in the foreground'],
  'docs/metrics.md': ['it stays in the foreground'],
  'docs/proxy.md': ['it stays in the foreground', 'it stays in the foreground'],
  'docs/from-veramo.md': ['there is no other agent here'],
  'docs/operations.md': [
    'needs a PostgreSQL with certificates at db.example',
    'it stays in the foreground',
    'it needs a restored database',
    'it needs a restored database',
  ],
  'docs/past-one-machine.md': [
    'needs a standby at replica.example',
    'needs two servers',
    'needs a coordinator of Citus and its workers',
    'needs a coordinator of Citus and its workers',
    'needs a coordinator of Citus and its workers',
  ],
  'docs/plugins.md': [
    'fetches packages; a test of its own installs and tests what it writes',
    'needs the folder of an installation',
  ],
  'docs/resolving.md': ['the DID is made elsewhere'],
  'docs/measurements/trials.md': ['takes an hour; short forms are tests of their own'],
  'docs/tutorial.md': ['it stays in the foreground; the test starts the same service'],
  'deploy/README.md': [
    'needs a container engine',
    'needs a container engine',
    'needs root and systemd',
    'needs a cluster',
    'needs a cluster',
  ],
  [DID_METHOD]: ['is part of `npm test`'],
  [LIST_TYPE]: ['is part of `npm test`'],
  [CREDENTIAL_FORMAT]: ['is part of `npm test`'],
  'examples/api-collection/README.md': ['fetches a package'],
  'examples/remote-agent/README.md': ['is part of `npm test`'],
  'examples/verifier/README.md': [
    'the credential comes from docs/tutorial.md, where the same command is run',
  ],
}

describe('runner of documented commands', () => {
  const page = (...parts: string[]) => documentedCommands('page.md', parts.join('\n\n'))
  const sh = (code: string) => `\`\`\`sh\n${code}\n\`\`\``
  const json = (text: string) => `\`\`\`json\n${text}\n\`\`\``

  it('finds blocks, their annotations and their output', () => {
    const [first, second, third, fourth] = page(
      sh('a'),
      json('{}'),
      '<!-- not run: too long -->',
      sh('b'),
      'text',
      json('{}'),
      '<!-- answers: 400, 410 -->',
      sh('c'),
      `1. in a list\n\n   ${sh('d').replaceAll('\n', '\n   ')}`,
    )
    assert.deepEqual([first?.code, first?.line, first?.output?.language], ['a\n', 1, 'json'])
    assert.deepEqual([second?.notRun, second?.output], ['too long', undefined])
    assert.deepEqual(third?.answers, ['400', '410'])
    assert.equal(fourth?.code, 'd\n')
  })

  it('compares structures, not what differs between runs', () => {
    const shown = (text: string) => ({ language: 'json', text, line: 1 }) as const
    const did = (end: string) => `"did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005${end}"`
    const same: [string, string][] = [
      [`{"did":${did('e0')},"n":1}`, `{"n":94567,"did":${did('11')}}`],
      ['{"a":{"...":"..."}}', '{"a":{"b":[1]}}'],
      ['["x","..."]', '["x","y","z"]'],
      ['{"why":"it is ..."}', '{"why":"it is over"}'],
    ]
    for (const [text, printed] of same) assert.deepEqual(differencesOf(shown(text), printed), [], text)
    const different: [string, string][] = [
      ['{"revoked":true}', '{"revoked":false}'],
      ['{"a":1}', '{"a":1,"b":2}'],
      ['{"a":1,"b":2}', '{"a":1}'],
      ['["x"]', '["x","y"]'],
      ['["x","y","..."]', '["x"]'],
      ['{"did":"did:key:z6Mk"}', `{"did":${did('e0')}}`],
      ['{"n":1}', '{"n":"1"}'],
      ['{}', 'not JSON'],
    ]
    for (const [text, printed] of different) {
      assert.notDeepEqual(differencesOf(shown(text), printed), [], `${text} ${printed}`)
    }
    const lines = { language: 'text', text: 'ok 1\n...\nend', line: 1 } as const
    assert.deepEqual(differencesOf(lines, 'ok   2\nmore\nend\n'), [])
    assert.equal(differencesOf(lines, 'ok 2\nmore\n').length, 1)
  })

  it('detects deviations from a page', async () => {
    const health = 'curl -s http://127.0.0.1:3332/health/live'
    const problems = await tryPage(
      page(
        sh(`export N=1\n${health}`),
        json('{"alive":false}'),
        sh('curl -s http://127.0.0.1:3332/did/list'),
        '<!-- answers: 401 -->',
        sh('curl -s http://127.0.0.1:3332/did/list'),
        sh('test $N = 1\nfalse\necho on'),
        sh('echo never'),
      ),
    )
    assert.deepEqual(
      problems.map((problem) => problem.split(':')[1]),
      ['1', '10', '20', '26'],
      problems.join('\n'),
    )
  })
})

describe('documented commands', () => {
  it('are run, with listed exceptions', () => {
    const notRun = pages.flatMap(({ page, blocks }) => {
      const reasons = blocks.flatMap(({ notRun }) => notRun ?? [])
      return reasons.length > 0 ? [[page, reasons] as const] : []
    })
    assert.deepEqual(Object.fromEntries(notRun), NOT_RUN)
    assert.ok(pages.flatMap(({ blocks }) => blocks).filter(({ output }) => output).length > 5)
  })

  const runnable = pages
    .map(({ page, blocks }) => ({ page, blocks: blocks.filter(({ notRun }) => notRun === undefined) }))
    .filter(({ blocks }) => blocks.length > 0)
  let service: Promise<Service> | undefined
  const shared = () => (service ??= Service.start())
  let folder: string
  let listening: Awaited<ReturnType<typeof commandsOfShells>>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-shells-'))
    listening = await commandsOfShells(join(folder, 'commands'))
  })
  after(async () => {
    listening.close()
    await (await service)?.stop()
    await rm(folder, { recursive: true })
  })

  const outcomes = new Map<number, Promise<string[]>>()
  const outcomeOf = (place: number): Promise<string[]> => {
    const { page, blocks } = runnable[place] ?? { page: '', blocks: [] }
    const outcome =
      outcomes.get(place) ??
      (page === ''
        ? Promise.resolve([])
        : tryPage(blocks, SETTINGS[page], { shared, commands: join(folder, 'commands') }))
    outcomes.set(place, outcome)
    return outcome
  }
  for (const [place, { page }] of runnable.entries()) {
    it(`of ${page} produce the documented output`, async () => {
      // Those that come next begin meanwhile, as most of it is waiting.
      for (const next of [place + 1, place + 2]) outcomeOf(next).catch(() => undefined)
      const problems = await outcomeOf(place)
      assert.equal(problems.length, 0, problems.join('\n\n'))
    })
  }
})
