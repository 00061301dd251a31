import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '../../test/support/client.js'
import { Service } from '../../test/support/service.js'
import { openFrontDoor } from './front-door.js'
import { implementationEntry } from './implementation.js'

// Runs a test suite of the W3C against the service, on a fresh database: see docs/measurements/conformance.md.
//   npm run conformance -- FOLDER [--format vc+jwt] [-- arguments of mocha]

const USAGE = 'npm run conformance -- FOLDER [--format vc+jwt] [-- arguments of mocha]'

type Entry = Awaited<ReturnType<typeof implementationEntry>>

/** Documents of the suites name this context, which the service never fetches. */
const EXAMPLES = 'https://www.w3.org/ns/credentials/examples'

const { values, positionals } = parseArgs({
  options: { format: { type: 'string', default: 'ldp_vc' } },
  allowPositionals: true,
})
const [folder, ...mochaArguments] = positionals
if (folder === undefined) throw new Error(`the folder of a suite is missing: ${USAGE}`)
process.exitCode = await runSuite(resolve(folder))

async function runSuite(suite: string): Promise<number> {
  const temporary = await mkdtemp(join(tmpdir(), 'vidimus-conformance-'))
  const door = await openFrontDoor()
  const service = await startService(temporary, door.url)
  try {
    const { url, apiKey = '' } = service
    door.leadTo({ url, apiKey })
    const entry = await implementationEntry(await Client.of(url, apiKey), door.url, values.format)
    await writeFile(join(suite, 'localConfig.cjs'), `module.exports = ${JSON.stringify(entry, null, 2)}\n`)
    const certificate = join(temporary, 'certificate.pem')
    await writeFile(certificate, door.certificate)
    const trust = { NODE_EXTRA_CA_CERTS: certificate }
    return await runMocha(suite, { ...trust, ...(await containers(temporary, door.url, entry)) })
  } finally {
    door.close()
    await service.stop()
    await rm(temporary, { recursive: true })
  }
}

async function startService(temporary: string, publicUrl: string): Promise<Service> {
  const file = join(temporary, 'examples.json')
  await writeFile(file, JSON.stringify({ '@context': { '@vocab': `${EXAMPLES}#` } }))
  const contexts = JSON.stringify({ [`${EXAMPLES}/v2`]: file })
  return Service.start({
    environment: { LOG_LEVEL: 'warn', VIDIMUS_PUBLIC_URL: publicUrl },
    configure: (text) => text.replace('$args: [{ contexts: {} }]', `$args: [{ contexts: ${contexts} }]`),
  })
}

/** The suite for JOSE and COSE runs containers: it finds a `docker` that calls the service. */
async function containers(temporary: string, url: string, { implementations }: Entry) {
  const folder = join(temporary, 'bin')
  const script = join(import.meta.dirname, 'jose-cose.ts')
  const command = [process.execPath, '--import', import.meta.resolve('tsx'), script]
  await mkdir(folder)
  await writeFile(join(folder, 'docker'), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`, { mode: 0o700 })
  const dids = implementations[0]?.issuers.flatMap(({ id, tags }) => tags.map((tag) => [tag, id]))
  return {
    PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`,
    CONFORMANCE_URL: url,
    CONFORMANCE_DIDS: JSON.stringify(Object.fromEntries(dids ?? [])),
  }
}

/** As the script `test` of the suites, without the report that they publish. */
async function runMocha(suite: string, environment: Record<string, string>): Promise<number> {
  const mocha = join(suite, 'node_modules/mocha/bin/mocha.js')
  const args = [
    mocha,
    'tests/',
    '--timeout',
    '15000',
    '--reporter',
    'spec',
    '--preserve-symlinks',
    ...mochaArguments,
  ]
  const child = spawn(process.execPath, args, {
    cwd: suite,
    stdio: 'inherit',
    env: { ...process.env, ...environment, APP_ROOT_PATH: suite },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
