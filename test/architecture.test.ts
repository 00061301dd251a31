import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './support/repository.js'
import { importsOf, packages, relativeImports, sources } from './support/sources.js'

/** The packages and the packages of ours that each may import. Arrows only point down. */
const ALLOWED: Record<string, string[]> = {
  cli: [
    'client',
    'agent-config',
    'remote-server',
    'accounts',
    'custody',
    'account-events',
    'publication',
    'work',
    'kms-node',
    'database-archive',
    'database',
    'core-types',
  ],
  'agent-config': ['core-types'],
  'remote-server': ['verification-methods', 'core-types'],
  'status-list': ['public-hosts', 'verification-methods', 'core-types'],
  'status-list-testing': ['status-list', 'core-types'],
  'status-list-store': ['work', 'database', 'core-types'],
  presentation: ['credentials', 'verification-methods', 'core-types'],
  credentials: ['verification-methods', 'core-types'],
  certificates: ['verification-methods', 'core-types'],
  'did-provider-cheqd': ['ledger', 'verification-methods', 'core-types'],
  'did-methods': ['verification-methods', 'core-types'],
  'did-resolver-jwk': ['verification-methods', 'core-types'],
  'did-resolver-web': ['public-hosts', 'core-types'],
  'did-resolver-webvh': ['did-resolver-web', 'verification-methods', 'core-types'],
  custody: [
    'accounts',
    'idempotency',
    'account-events',
    'work',
    'database',
    'verification-methods',
    'core-types',
  ],
  accounts: ['idempotency', 'account-events', 'work', 'database', 'core-types'],
  oidc: ['accounts', 'database', 'core-types'],
  idempotency: ['database', 'core-types'],
  'account-events': ['public-hosts', 'work', 'database', 'core-types'],
  publication: ['work', 'database', 'core-types'],
  work: ['database', 'core-types'],
  'publisher-directory': ['database', 'core-types'],
  'publisher-s3': ['core-types'],
  'kms-node': ['verification-methods', 'core-types'],
  'kms-pkcs11': ['verification-methods', 'core-types'],
  'kms-vault': ['verification-methods', 'core-types'],
  tracing: ['core-types'],
  'tracing-otlp': ['core-types'],
  'ledger-local': ['ledger', 'database', 'core-types'],
  'ledger-cheqd': ['ledger', 'database', 'core-types'],
  ledger: ['core-types'],
  'verification-methods': ['core-types'],
  'public-hosts': [],
  'database-archive': ['database', 'core-types'],
  database: ['core-types'],
  'core-types': [],
  client: [],
  // code that runs in an operator's browser
  console: ['client'],
}

/** Exceptions to what is forbidden everywhere else. */
const RESERVED: { what: string; pattern: RegExp; allowedIn: RegExp }[] = [
  { what: 'express', pattern: /from 'express'/, allowedIn: /^packages\/remote-server\// },
  { what: 'console', pattern: /\bconsole\.\w/, allowedIn: /^packages\/cli\// },
  {
    what: 'printing JSON',
    pattern: /console\.log\(.*JSON\.stringify/,
    allowedIn: /^packages\/cli\/src\/harmless\.ts$/,
  },
  { what: 'process.env', pattern: /\bprocess\.env\b/, allowedIn: /^packages\/agent-config\// },
  {
    what: 'casts to names of a kind',
    pattern: /\bas (unknown as )?(QueueName|Did|Kid|StatusListName|ScopedName)\b/,
    allowedIn: /^packages\/(core-types\/src\/names|custody\/src\/unit)\.ts$/,
  },
  {
    what: 'brands of schemas',
    pattern: /\.brand[<(]/,
    allowedIn: /^packages\/core-types\/src\/schemas\/status-list\.ts$/,
  },
  // A status list is kept from older versions of it where resources are made: in one place.
  {
    what: "type: 'createResource'",
    pattern: /type: 'createResource'/,
    allowedIn: /^packages\/(ledger|did-provider-cheqd\/src\/cheqd-ledger-plugin\.ts)/,
  },
  {
    what: 'any',
    pattern: /(?<!\/\/.*)(:|<|as) any\b/,
    allowedIn: /^packages\/core-types\/src\/lifecycle\.ts$/,
  },
  { what: '@ts-ignore', pattern: /@ts-(ignore|nocheck|expect-error)/, allowedIn: /^$/ },
]

/** What is written from memory, as the operations page names it. */
const WRITTEN_LATER: Record<string, string> = {
  // Found again by whoever asks what became of the change.
  'packages/account-events/src/announced-events.ts': '',
  'packages/accounts/src/audit-counts.ts': 'counted events',
  'packages/accounts/src/audit-log.ts': 'counted events',
  'packages/accounts/src/last-use.ts': 'the last use of an API key',
  'packages/tracing-otlp/src/sdk-tracer.ts': 'spans',
}

/** Guide values; a longer one needs its reason here. */
const MOST_LINES_PER_FILE = 320
const LONGER_WITH_REASON: Record<string, string> = {
  'packages/client/src/api-types.ts': 'made from the API document',
}

const packageNameOf = (specifier: string) =>
  specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] ?? '')

/** The files of each circle that a walk along the imports comes upon. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, chain: readonly string[]): void => {
    if (chain.includes(file)) circles.push([...chain.slice(chain.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    done.add(file)
    for (const next of imports.get(file) ?? []) visit(next, [...chain, file])
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

describe('architecture', () => {
  it('lists every package in the table', () => {
    assert.deepEqual([...packages].sort(), Object.keys(ALLOWED).sort())
  })

  it('keeps nothing in memory to be written later but what the operations page says kill -9 may lose', () => {
    const kept =
      /new (DeferredRows|BatchSpanProcessor)\b|set(Interval|Timeout)\(\(\) => (void )?this\.(flush|close|write\w*)\(/
    const found = sources.filter(({ text }) => kept.test(text)).map(({ file }) => file)
    assert.deepEqual(found.sort(), Object.keys(WRITTEN_LATER).sort())
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8').replaceAll(/\s+/g, ' ')
    const [, losable = ''] = /\*\*What `kill -9` may lose\*\*, and nothing else: (.*?) - /.exec(page) ?? []
    for (const [file, phrase] of Object.entries(WRITTEN_LATER)) assert.ok(losable.includes(phrase), file)
  })

  it('starts timers outside the request that happens to start them', () => {
    // Processes of their own have no requests.
    const alone = /^packages\/(cli|console|client)\/|remote-server\/src\/connection\/listening\.ts$/
    const wrong = sources
      .filter(({ file }) => !alone.test(file))
      .flatMap(({ file, text }) => {
        const repeating = /\bsetInterval\(|this\.timer \??\??= setTimeout\(/g
        const outside = /outsideOfRequests\(\s*\(\) =>\s*setInterval\(/g
        const [all, right] = [[...text.matchAll(repeating)].length, [...text.matchAll(outside)].length]
        return all > right ? [file] : []
      })
    assert.deepEqual(wrong, [])
  })

  it('allows only the listed dependencies between packages', () => {
    const wrong = sources.flatMap(({ file, package: from, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith('@vidimus/'))
        .map((specifier) => packageNameOf(specifier).slice('@vidimus/'.length))
        .filter((to) => !ALLOWED[from]?.includes(to))
        .map((to) => `${file} imports ${to}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('has no cycle in the table', () => {
    const visit = (name: string, chain: string[]): void => {
      assert.ok(!chain.includes(name), [...chain, name].join(' -> '))
      for (const next of ALLOWED[name] ?? []) visit(next, [...chain, name])
    }
    for (const name of Object.keys(ALLOWED)) visit(name, [])
  })

  it('declares the imports of a package in its manifest', () => {
    const undeclared = sources.flatMap(({ file, package: from, text }) => {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', from, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>
        devDependencies?: Record<string, string>
      }
      // Only what is published as a bundle can do without them where it is installed.
      const declared = from === 'console' ? manifest.devDependencies : manifest.dependencies
      return importsOf(text)
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(packageNameOf)
        .filter((name) => !(name in (declared ?? {})) && !builtinModules.includes(name))
        .map((name) => `${file} imports ${name}`)
    })
    assert.deepEqual(undeclared, [])
  })

  it('lets examples depend only on extension points, like external packages', () => {
    // A single-file example has no manifest, as it would be written elsewhere.
    const packages = readdirSync(join(root, 'examples')).filter((name) =>
      existsSync(join(root, 'examples', name, 'package.json')),
    )
    const wrong = packages.flatMap((name) => {
      const manifest = JSON.parse(readFileSync(join(root, 'examples', name, 'package.json'), 'utf8')) as {
        dependencies: Record<string, string>
      }
      return readdirSync(join(root, 'examples', name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.includes('__tests__'))
        .flatMap((file) =>
          importsOf(readFileSync(join(root, 'examples', name, 'src', file), 'utf8'))
            .filter((specifier) => !specifier.startsWith('./') && !specifier.startsWith('node:'))
            .filter((specifier) => !(specifier in manifest.dependencies))
            .map((specifier) => `${name}/${file} imports ${specifier}`),
        )
    })
    assert.deepEqual(wrong, [])
  })

  it('has no circular import, including type-only imports', () => {
    assert.deepEqual(circlesIn(relativeImports()), [])
  })

  it('stays inside a package with relative imports', () => {
    const outside = sources.flatMap(({ file, package: from, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) =>
          relative(join(root, 'packages', from, 'src'), resolve(root, dirname(file), specifier)),
        )
        .filter((path) => path.startsWith('..'))
        .map((path) => `${file} imports ${path}`),
    )
    assert.deepEqual(outside, [])
  })

  for (const { what, pattern, allowedIn } of RESERVED) {
    it(`keeps ${what} where it belongs`, () => {
      const found = sources
        .filter(({ file }) => !allowedIn.test(file))
        .flatMap(({ file, text }) =>
          text
            .split('\n')
            .map((line, n) => ({ line, n: n + 1 }))
            .filter(({ line }) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line))
            .map(({ line, n }) => `${file}:${n} ${line.trim()}`),
        )
      assert.deepEqual(found, [])
    })
  }

  it('limits the length of files', () => {
    const long = sources
      .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > MOST_LINES_PER_FILE && !(file in LONGER_WITH_REASON))
      .map(({ file, lines }) => `${file}: ${lines} lines`)
    assert.deepEqual(long, [])
  })

  it('names a function that ends in "Of" once: two of them need names that say what each returns', () => {
    const files = new Map<string, string[]>()
    for (const { file, text } of sources)
      for (const [, name = ''] of text.matchAll(/^(?:export )?(?:async )?(?:const|function\*?) +(\w+Of)\b/gm))
        files.set(name, [...(files.get(name) ?? []), file])
    assert.deepEqual(
      [...files].filter(([, where]) => where.length > 1),
      [],
    )
  })

  it('re-exports only in index files', () => {
    const wrong = sources
      .filter(({ file }) => file.endsWith('/src/index.ts'))
      .filter(({ text }) =>
        text
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .replace(/export (type )?(\*|\{[^}]*\}) from '[^']+'/g, '')
          .replace(/\/\/.*/g, '')
          .trim(),
      )
      .map(({ file }) => file)
    assert.deepEqual(wrong, [])
  })
})
