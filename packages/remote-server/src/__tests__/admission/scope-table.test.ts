import assert from 'node:assert/strict'
import { Agent } from '@veramo/core'
import type { IAgentPlugin } from '@veramo/core-types'
import type { AnyAgent } from '@vidimus/core-types'
import { SEVERAL, type Door } from '../../../../../test/support/scope-doors.js'
import { operations } from '../../operations/index.js'
import { AGENT_METHODS, scopesOf, scopesOfCall } from '../../admission/scope-table.js'
import { SCOPE_NAMES } from '../../admission/scopes.js'
import { ask, serve, type TestService } from '../set-up/service.js'

const DOORS: readonly Door[] = [
  ...operations.map(({ id, method, path }) => ({
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, 'nothing'),
    ...(method === 'post' && { json: {} }),
    scopes: scopesOf(id),
  })),
  ...AGENT_METHODS.flatMap((name) =>
    (SEVERAL[name] ?? [{}]).map((json) => ({
      method: 'POST',
      path: `/agent/${name}`,
      json,
      scopes: scopesOfCall(name, { ...json }),
    })),
  ),
]

const methods = new Set([...AGENT_METHODS, ...operations.flatMap(({ needs }) => needs)])

describe('scope table', () => {
  const called: string[] = []
  const grants: (readonly string[])[] = []
  let service: TestService
  before(async () => {
    const entries = [...methods].map((name) => [
      name,
      () => {
        called.push(name)
        return Promise.resolve({})
      },
    ])
    const plugin = { methods: Object.fromEntries(entries) as object } as unknown as IAgentPlugin
    const agent = new Agent({ plugins: [plugin] }) as unknown as AnyAgent
    const account = { id: 'a3c1', name: 'default', createdAt: '2026-01-01T00:00:00Z' }
    service = await serve({
      agent,
      agentMethods: [...AGENT_METHODS],
      authenticator: {
        authenticate: (key) => {
          const scopes = grants[Number(key.split('_')[1])]
          return Promise.resolve(scopes && { ...account, grant: { id: key, scopes } })
        },
      },
    })
  })
  after(() => service.stop())

  const knock = async ({ method, path, json }: Door, scopes: readonly string[]) => {
    const headers = { 'x-api-key': `vidimus_${grants.push(scopes) - 1}`, 'content-type': 'application/json' }
    const body = json && { body: JSON.stringify(json) }
    const answer = await ask(`${service.url}${path}`, { method, headers, ...body })
    const shut =
      answer.status === 403 && String(answer.body.error).startsWith('this API key lacks a required scope: ')
    return { ...answer, shut }
  }

  for (const door of DOORS) {
    const { method, path, json, scopes } = door
    const args = json && Object.keys(json).length > 0 ? ` ${JSON.stringify(json)}` : ''
    it(`closes ${method} ${path}${args} to all but its own scopes`, async () => {
      const before = called.length
      const others = SCOPE_NAMES.filter((scope) => !scopes.includes(scope))
      const { body, shut } = await knock(door, others)
      assert.ok(shut, JSON.stringify(body))
      const named = body.error.slice('this API key lacks a required scope: '.length).split(' or ')
      for (const scope of scopes) assert.ok(named.includes(scope), body.error)
      assert.equal(called.length, before)
      const opened = await Promise.all(scopes.map((scope) => knock(door, [scope])))
      assert.deepEqual(
        opened.map((answer) => answer.shut),
        scopes.map(() => false),
      )
    })
  }
})
