import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { demandValid, manifestsIn, typeMistakes, type Manifest } from './support/kubernetes-manifests.js'
import { hasCommand, read, root, version } from './support/repository.js'

const chart = 'deploy/helm/vidimus'
const isHere = hasCommand('helm')

/** A program that `go install` built takes a cluster of its own idea for granted. */
const VERSION = ['--kube-version', '1.30.0']

type WithSpec = Manifest & { spec: Record<string, unknown> }

/** What the chart makes of values, by kind; `go install helm.sh/helm/v3/cmd/helm@latest` brings the program. */
function render(...values: string[]): Map<string, WithSpec> {
  const { status, stdout, stderr } = spawnSync(
    'helm',
    ['template', 'vidimus', join(root, chart), ...VERSION, ...values],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stderr)
  const manifests = manifestsIn(stdout).filter((manifest) => manifest !== null) as WithSpec[]
  return new Map(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]))
}

/** The manifest beside it, with which the chart must not disagree. */
const plain = (file: string): WithSpec => manifestsIn(read(`deploy/kubernetes/${file}`))[0] as WithSpec

/** Without what only one of both has: labels of a release, its image, and the annotation that replaces a hashed name. */
function comparable(spec: unknown): unknown {
  const text = JSON.stringify(spec, (key, value: unknown) =>
    key === 'app.kubernetes.io/instance' || key === 'annotations' ? undefined : value,
  )
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
      .filter(([key]) => !key.startsWith('helm.sh/') && !/version$|managed-by$/.test(key))
      .map(([key, member]) => [key, strip(member)] as const)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return strip(JSON.parse(text.replaceAll(`vidimus:${version}`, 'vidimus')))
}

describe('Helm chart', () => {
  it('is of this version, and its values fit their schema', () => {
    const { version: chartVersion, appVersion } = parse(read(`${chart}/Chart.yaml`)) as Record<string, string>
    assert.deepEqual([chartVersion, appVersion], [version, version])
    const isValid = new Ajv({ strict: false }).compile(
      JSON.parse(read(`${chart}/values.schema.json`)) as object,
    )
    const values = parse(read(`${chart}/values.yaml`)) as Record<string, object>
    assert.ok(isValid(values), JSON.stringify(isValid.errors))
    for (const wrong of [{ replicas: 0 }, { imag: {} }, { image: { repository: 'x', digest: 'latest' } }])
      assert.ok(!isValid({ ...values, ...wrong }), JSON.stringify(wrong))
    assert.ok(
      !isValid({ ...values, ingress: { ...values.ingress, enabled: true } }),
      'an ingress without a host',
    )
  })

  describe(`rendered${isHere ? '' : ' (not here: helm is not installed)'}`, () => {
    before(function () {
      if (!isHere) this.skip()
    })

    it('has no mistake that its own linter finds', () => {
      const { status, stdout } = spawnSync('helm', ['lint', '--strict', join(root, chart)], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    })

    it('is what the plain manifests are', () => {
      const manifests = render()
      for (const [name, file] of [
        ['Deployment vidimus', 'deployment.yml'],
        ['Service vidimus', 'service.yml'],
        ['PodDisruptionBudget vidimus', 'disruption-budget.yml'],
        ['NetworkPolicy vidimus', 'network-policy.yml'],
        ['Job vidimus-migrate', 'migrate/job.yml'],
      ] as const)
        assert.deepEqual(comparable(manifests.get(name)?.spec), comparable(plain(file).spec), name)
    })

    it('fits the schemas of Kubernetes with every part enabled', function () {
      const folder = mkdtempSync(join(tmpdir(), 'vidimus-helm-'))
      const values = join(folder, 'values.yaml')
      writeFileSync(
        values,
        JSON.stringify({
          image: { repository: 'registry.example/vidimus', digest: `sha256:${'a'.repeat(64)}` },
          imagePullSecrets: [{ name: 'registry' }],
          ingress: { enabled: true, host: 'id.example', tlsSecret: 'tls' },
          metrics: { enabled: true },
          nodeSelector: { disk: 'fast' },
          tolerations: [{ key: 'x', operator: 'Exists' }],
          podAnnotations: { a: 'b' },
        }),
      )
      const manifests = [
        ...render('--values', values, '--set-file', `agentYml=${join(root, 'agent.yml')}`).values(),
      ]
      rmSync(folder, { recursive: true })
      assert.deepEqual(manifests.map(({ kind }) => kind).sort(), [
        'ConfigMap',
        'ConfigMap',
        'Deployment',
        'Ingress',
        'Job',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'Service',
      ])
      manifests.forEach(demandValid)
      assert.deepEqual(typeMistakes(manifests, root), [])
      const agent = manifests.find(({ metadata }) => metadata.name === 'vidimus-agent') as unknown as {
        data: Record<string, string>
      }
      assert.deepEqual(parse(agent.data['agent.yml'] ?? ''), parse(read('agent.yml')))
      assert.match(JSON.stringify(manifests), /registry\.example\/vidimus@sha256:a{64}/)
    })
  })
})
