import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { demandValid, manifestsIn, typeMistakes, type Manifest } from './support/kubernetes-manifests.js'
import {
  defaultPort,
  graceSeconds,
  hasCommand,
  read,
  root,
  variables,
  version,
} from './support/repository.js'
import { Service } from './support/service.js'

interface PodTemplate {
  metadata: { labels: Record<string, string> }
  spec: {
    automountServiceAccountToken: boolean
    enableServiceLinks: boolean
    terminationGracePeriodSeconds: number
    securityContext: Record<string, unknown>
    containers: Container[]
    volumes: {
      name: string
      secret?: { secretName: string; defaultMode: number; items: { key: string; path: string }[] }
    }[]
  }
}

interface Container {
  image: string
  volumeMounts: { name: string; mountPath: string }[]
  env: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: Record<string, unknown>
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  lifecycle?: { preStop: { exec: { command: string[] } } }
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
}

interface Probe {
  httpGet: { path: string; port: string }
  timeoutSeconds: number
  periodSeconds: number
  failureThreshold: number
}

type Labels = Record<string, string>

describe('Kubernetes manifests', () => {
  const folder = 'deploy/kubernetes'
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.yml'),
  )
  const manifests = files
    .filter((file) => !file.endsWith('kustomization.yml'))
    .flatMap((file) => manifestsIn(read(`${folder}/${file}`)))
  const specOf = <T>(kind: string): T => {
    const found = manifests.filter((manifest) => manifest.kind === kind)
    assert.equal(found.length, 1, kind)
    return (found[0] as Manifest & { spec: T }).spec
  }
  const deployment = specOf<{
    replicas: number
    strategy: { rollingUpdate: object }
    selector: { matchLabels: Labels }
    template: PodTemplate
  }>('Deployment')
  const job = specOf<{ template: PodTemplate }>('Job')
  const containerOf = ({ spec }: PodTemplate): Container => {
    const [container, ...others] = spec.containers
    assert.ok(container && others.length === 0)
    return container
  }
  const service = containerOf(deployment.template)

  it('match the Kubernetes schemas, without unknown fields', function () {
    manifests.forEach(demandValid)
    assert.deepEqual(typeMistakes(manifests, root), [])
    const changed = (from: string, to: string) =>
      JSON.parse(JSON.stringify(manifests).replace(from, to)) as Manifest[]
    assert.match(
      typeMistakes(changed('readOnlyRootFilesystem', 'readonlyRootFilesystem'), root).join(),
      /readonlyRootFilesystem/,
    )
    assert.throws(() => changed('"replicas":3', '"replicas":"three"').forEach(demandValid), /replicas/)
  })

  for (const kustomization of [folder, `${folder}/migrate`]) {
    it(`can be built by kustomize: ${kustomization}`, function () {
      if (!hasCommand('kubectl')) this.skip()
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(root, kustomization)], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      const built = manifestsIn(stdout)
      built.forEach(demandValid)
      const images = [...stdout.matchAll(/image: (.*)/g)].map(([, image]) => image)
      assert.deepEqual(images, [`vidimus:${version}`])
      assert.ok(!stdout.includes('namespace:'))
    })
  }

  it('can be used in a kustomization as in the README, with a custom configuration', function () {
    if (!hasCommand('kubectl')) this.skip()
    const [, kustomization = ''] = /```yaml\n(.*?)```/s.exec(read('deploy/README.md')) ?? []
    const base = mkdtempSync(join(tmpdir(), 'vidimus-kustomization-'))
    try {
      cpSync(join(root, folder), join(base, 'vidimus', folder), { recursive: true })
      mkdirSync(join(base, 'own'))
      writeFileSync(join(base, 'own/kustomization.yml'), kustomization)
      cpSync(join(root, 'agent.yml'), join(base, 'own/agent.yml'))
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(base, 'own')], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      const built = manifestsIn(stdout)
      built.forEach(demandValid)
      assert.ok(built.every(({ metadata }) => metadata.namespace === 'identity'))
      const { template } = (
        built.find(({ kind }) => kind === 'Deployment') as Manifest & { spec: { template: PodTemplate } }
      ).spec
      const { image, volumeMounts } = containerOf(template)
      assert.equal(image, `registry.example/vidimus:${version}`)
      assert.ok(volumeMounts.some(({ mountPath }) => mountPath === '/etc/vidimus'))
      assert.ok(stdout.includes('name: vidimus-agent-'))
    } finally {
      rmSync(base, { recursive: true })
    }
  })

  it('include every file of their folder', () => {
    for (const [path, resources] of [
      ['', readdirSync(join(root, folder))],
      ['migrate/', readdirSync(join(root, folder, 'migrate'))],
    ] as const) {
      const named = (parse(read(`${folder}/${path}kustomization.yml`)) as { resources: string[] }).resources
      const there = resources.filter((file) => file.endsWith('.yml') && !/^kustomization|example/.test(file))
      assert.deepEqual([...named].sort(), there.sort())
    }
  })

  it('replace pods one by one, each after its successor is ready', () => {
    assert.equal(deployment.replicas, 3)
    assert.deepEqual(deployment.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
    assert.deepEqual(specOf<{ maxUnavailable: number }>('PodDisruptionBudget').maxUnavailable, 1)
  })

  it('select the pods of the service, and the job only where intended', () => {
    const fits = (selector: Labels, { metadata }: PodTemplate) =>
      Object.entries(selector).every(([name, value]) => metadata.labels[name] === value)
    const selectors: Record<string, Labels> = {
      deployment: deployment.selector.matchLabels,
      service: specOf<{ selector: Labels }>('Service').selector,
      budget: specOf<{ selector: { matchLabels: Labels } }>('PodDisruptionBudget').selector.matchLabels,
    }
    for (const selector of Object.values(selectors)) {
      assert.deepEqual([fits(selector, deployment.template), fits(selector, job.template)], [true, false])
    }
    const policy = specOf<{ podSelector: { matchLabels: Labels } }>('NetworkPolicy').podSelector.matchLabels
    assert.deepEqual([fits(policy, deployment.template), fits(policy, job.template)], [true, true])
  })

  it('allow outgoing traffic to configured places only, except for DNS', () => {
    const { egress } = specOf<{ egress: { ports: { port: number }[]; to?: unknown[] }[] }>('NetworkPolicy')
    const anywhere = egress.filter(({ to = [] }) => to.length === 0)
    assert.deepEqual([...new Set(anywhere.flatMap(({ ports }) => ports.map(({ port }) => port)))], [53])
    // Which of them a patch of deploy/README.md names.
    assert.equal(egress[1]?.ports[0]?.port, 5432)
    assert.match(read('deploy/README.md'), /path: \/spec\/egress\/1\/to/)
  })

  it('probe health where the service answers, with longer timeouts than its own', async () => {
    const [port] = service.ports ?? []
    assert.equal(String(port?.containerPort), defaultPort())
    const { url, stop } = await Service.start().then((running) => ({
      url: running.url,
      stop: () => running.stop(),
    }))
    try {
      for (const { httpGet } of [service.startupProbe, service.readinessProbe, service.livenessProbe]) {
        assert.equal(httpGet.port, port?.name)
        assert.equal((await fetch(url + httpGet.path)).status, 200)
      }
    } finally {
      await stop()
    }
    const patience =
      Number(/PATIENCE_MS = (\d+)/.exec(read('packages/remote-server/src/health/readiness.ts'))?.[1]) / 1000
    assert.ok(
      service.readinessProbe.timeoutSeconds > patience && service.startupProbe.timeoutSeconds > patience,
    )
    assert.equal(service.livenessProbe.httpGet.path, '/health/live')
  })

  it('let accepted requests finish', () => {
    const [, pause] = service.lifecycle?.preStop.exec.command ?? []
    assert.ok(Number(pause) >= 5)
    assert.ok(deployment.template.spec.terminationGracePeriodSeconds > Number(pause) + graceSeconds() + 5)
  })

  for (const [name, template] of Object.entries({ service: deployment.template, job: job.template })) {
    it(`grant the ${name} no unnecessary privilege, and limit its resources`, () => {
      const { spec } = template
      const { securityContext, resources } = containerOf(template)
      const user = Number(/^USER (\d+)/m.exec(read('deploy/Dockerfile'))?.[1])
      assert.deepEqual(spec.securityContext, {
        ...{ runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user },
        seccompProfile: { type: 'RuntimeDefault' },
      })
      assert.deepEqual(securityContext, {
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      })
      assert.deepEqual([spec.automountServiceAccountToken, spec.enableServiceLinks], [false, false])
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory)
    })

    it(`provide the secrets of the ${name} as files that must exist`, () => {
      const volume = template.spec.volumes.find(({ name }) => name === 'secrets')?.secret
      const example = manifests.find(({ kind }) => kind === 'Secret') as Manifest & {
        stringData: Record<string, string>
      }
      assert.equal(volume?.secretName, example.metadata.name)
      assert.equal(volume.defaultMode, 0o440)
      assert.deepEqual(volume.items.map(({ key }) => key).sort(), Object.keys(example.stringData).sort())
      const paths = containerOf(template).env.map(({ name, value }) => {
        assert.ok(variables().includes(name.replace(/_FILE$/, '')), name)
        return value.replace('/run/secrets/vidimus/', '')
      })
      assert.deepEqual(paths.sort(), volume.items.map(({ path }) => path).sort())
    })
  }

  it('contain an example secret that the service refuses', async () => {
    const example = manifests.find(({ kind }) => kind === 'Secret') as Manifest & {
      stringData: Record<string, string>
    }
    const { 'kms-secret-key': secret = '', 'database-url': url = '' } = example.stringData
    const starting = (environment: Record<string, string>) =>
      Service.start({ environment }).then(async (running) => {
        await running.stop()
        throw new Error('it started')
      })
    await assert.rejects(starting({ KMS_SECRET_KEY: secret }), /32 random bytes/)
    await assert.rejects(starting({ DATABASE_URL: url }), /sqlite:/)
  })
})
