import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { AnyAgent } from '@vidimus/core-types'
import { Agent } from '@veramo/core'

interface Schema {
  components: {
    schemas: Record<string, Record<string, unknown>>
    methods: Record<string, { description?: string; arguments?: object; returnType?: object }>
  }
}

/** The descriptions of plugin methods: the documentation for remote agents, and the validation of their arguments. */
/** A holding is a value of one process, so no other agent can name one. */
const OF_ONE_PROCESS = ['didHolding', 'didSign', 'linkedResourcePublish']

describe('plugin schemas', () => {
  let folder: string
  let configuration: Configuration
  let agent: AnyAgent
  let schema: Schema
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-schemas-'))
    configuration = await loadConfiguration(resolve(import.meta.dirname, '../agent.yml'), {
      environment: { VIDIMUS_DATA_DIR: folder },
    })
    const [built] = await configuration.build('/agent')
    agent = built as AnyAgent
    schema = agent.getSchema()
  })
  after(async () => {
    await configuration.stop()
    await rm(folder, { recursive: true })
  })

  it('describe every method in one sentence, with arguments and result', () => {
    const described = agent.availableMethods().filter((method) => !OF_ONE_PROCESS.includes(method))
    const incomplete = described.filter((method) => {
      const { description = '', arguments: args, returnType } = schema.components.methods[method] ?? {}
      return !/\w+ \w+/.test(description) || !args || !returnType
    })
    assert.deepEqual(incomplete, [])
  })

  it('leave out what is of one process, so that it has no door', () => {
    assert.deepEqual(
      OF_ONE_PROCESS.filter((method) => method in schema.components.methods),
      [],
    )
  })

  it('describe existing methods only', () => {
    const methods = agent.availableMethods()
    assert.deepEqual(
      Object.keys(schema.components.methods).filter((method) => !methods.includes(method)),
      [],
    )
  })

  it('refer to existing types', () => {
    const references = referencesIn(schema)
    assert.ok(references.length > 100)
    assert.deepEqual(
      references.filter((name) => !(name in schema.components.schemas)),
      [],
    )
  })

  it('accept only objects as arguments', () => {
    const resolved = (type: Record<string, unknown>): Record<string, unknown> =>
      typeof type.$ref === 'string' ? resolved(schema.components.schemas[typeName(type.$ref)] ?? {}) : type
    const others = Object.entries(schema.components.methods).filter(
      ([, { arguments: args }]) => resolved({ ...args }).type !== 'object',
    )
    assert.deepEqual(
      others.map(([method]) => method),
      [],
    )
  })

  it("can be read by the validator of Veramo's agents", async () => {
    const plugin = { methods: { cheqdNetworks: () => Promise.resolve([]) }, schema }
    const validating = new Agent({ plugins: [plugin], schemaValidation: true })
    await validating.execute('cheqdNetworks', {})
  })
})

const typeName = (reference: string) => decodeURIComponent(reference.replace('#/components/schemas/', ''))

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === '$ref' && typeof member === 'string' ? [typeName(member)] : referencesIn(member),
  )
}
