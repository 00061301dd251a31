import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { differencesOf, type DocumentedCommands } from './documented-commands.js'
import { Service } from './service.js'
import { VIDIMUS_FUNCTION } from './commands-of-shells.js'
import { COMPILED } from './vidimus-process.js'

const root = resolve(import.meta.dirname, '../..')

/** What a page takes for granted. */
export interface PageSetting {
  /** typed before the first block, in the same shell */
  before?: string
  /** what stands in the page, and what takes its place here */
  instead?: () => Promise<Readonly<Record<string, string>>>
  /** @param folder - where the page is tried */
  configure?: (text: string, folder: string) => string
  /** it begins before there is anything; other pages have a first start behind them */
  fromNothing?: boolean
  /** its commands do not mind what other pages have in the same installation */
  shared?: true
}

interface Typed {
  printed: string
  complained: string
}

/** A shell that does what readers do, but ends at the first mistake and tells the status of every answer. */
const PRELUDE = `set -euo pipefail
curl() { command curl -sS -w '%{stderr}answered %{http_code}\\n' "$@"; }
npx() { if [ "$1" = vidimus ]; then shift; vidimus "$@"; else command npx "$@"; fi; }
`

/**
 * Types the blocks of a page, in their order and in one shell, in a folder of their own beside a service that has just
 * been started for the first time.
 *
 * @param shared - a service that takes its place where the page talks to it over HTTP alone
 * @param commands - where {@link commandsOfShells} listens, for pages that do not begin from nothing
 * @returns what does not go as the page says, each with its line
 */
export async function tryPage(
  blocks: readonly DocumentedCommands[],
  setting: PageSetting = {},
  { shared, commands }: { shared?: () => Promise<Service>; commands?: string } = {},
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-page-'))
  await installationIn(folder)
  const overHttp =
    !setting.configure &&
    !setting.fromNothing &&
    !/\bvidimus [a-z]/.test([setting.before, ...blocks.map(({ code }) => code)].join('\n'))
  const isShared = shared !== undefined && (overHttp || setting.shared === true)
  const service = isShared ? await shared() : await ownService(folder, setting)
  if (isShared) await symlink(service.dataDirectory, join(folder, 'data'))
  try {
    const typed = await typeAll(blocks, { folder, service, setting, commands })
    return blocks.flatMap((block, place) =>
      problemsOf(block, typed[place]).map((problem) => `${block.page}:${block.line}: ${problem}`),
    )
  } finally {
    if (!isShared) await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function ownService(folder: string, { configure, fromNothing = false }: PageSetting): Promise<Service> {
  const dataDirectory = join(folder, 'data')
  await mkdir(dataDirectory, { mode: 0o700 })
  return Service.start({
    dataDirectory,
    fromNothing,
    ...(configure && { configure: (text) => configure(text, folder) }),
  })
}

/** What a reader has: the configuration, what it names, and the examples. */
async function installationIn(folder: string): Promise<void> {
  await cp(join(root, 'agent.yml'), join(folder, 'agent.yml'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await symlink(join(root, 'examples'), join(folder, 'examples'))
}

async function typeAll(
  blocks: readonly DocumentedCommands[],
  {
    folder,
    service,
    setting,
    commands,
  }: { folder: string; service: Service; setting: PageSetting; commands: string | undefined },
): Promise<(Typed | undefined)[]> {
  const { host } = new URL(service.url)
  const instead = {
    '127.0.0.1:3332': host,
    'vidimus_...': service.apiKey ?? '',
    '/tmp/': `${folder}/`,
    ...(await setting.instead?.()),
  }
  const asHere = (text: string): string =>
    Object.entries(instead).reduce((rest, [shown, here]) => rest.replaceAll(shown, here), text)
  const isHere = commands !== undefined && !setting.fromNothing
  const script = [
    PRELUDE + (isHere ? VIDIMUS_FUNCTION : `vidimus() { command node "$VIDIMUS" "$@"; }\n`),
    asHere(setting.before ?? ''),
    ...blocks.map(
      ({ code }, place) => `{\n${asHere(code)}\n} > '${folder}/${place}.out' 2> '${folder}/${place}.err'`,
    ),
  ].join('\n')
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: {
      ...COMPILED,
      PATH: process.env.PATH,
      HOME: folder,
      VIDIMUS: join(root, 'packages/cli/bin/vidimus.js'),
      COMMANDS: commands,
      RESOLVER: `${service.url}/1.0/identifiers/`,
      VIDIMUS_URL: service.url,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complained = ''
  shell.stderr.on('data', (text: Buffer) => (complained += text.toString()))
  const [code] = (await once(shell, 'close')) as [number]
  const typed = await Promise.all(
    blocks.map(async (_, place): Promise<Typed | undefined> => {
      const texts = ['out', 'err'].map((kind) => readFile(join(folder, `${place}.${kind}`), 'utf8'))
      const [printed, told] = await Promise.all(texts).catch(() => [])
      return printed === undefined || told === undefined ? undefined : { printed, complained: told }
    }),
  )
  if (code === 0) return typed
  // Those behind the block that ended the shell have no files.
  const reached = Math.max(
    typed.findLastIndex((each) => each !== undefined),
    0,
  )
  return typed.map((each, place) =>
    place === reached
      ? { printed: '', complained: `${each?.complained ?? ''}${complained}ended the shell with ${code}` }
      : each,
  )
}

function problemsOf({ answers, output }: DocumentedCommands, typed: Typed | undefined): string[] {
  if (!typed) return ['it was not reached']
  const { printed, complained } = typed
  if (complained.includes('ended the shell')) return [`${printed}${complained}`]
  const refused = [...complained.matchAll(/^answered ([045]\d\d)$/gm)].map(([, status = '']) => status)
  return [
    ...(refused.join() === answers.join()
      ? []
      : [
          `it was answered with ${refused.join() || '2xx'} in place of ${answers.join() || '2xx'}: ${printed.slice(-1000)}`,
        ]),
    ...(output ? differencesOf(output, printed) : []),
  ]
}
