import assert from 'node:assert/strict'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { scopesOf } from '../../admission/scope-table.js'
import { apiDocument } from '../../docs/api-document.js'
import { operations } from '../../operations/index.js'

interface Answer {
  content: Record<string, { example: unknown } | undefined>
}

const document = apiDocument(operations, {
  publicUrl: 'https://id.acme.test',
  servesIdentifiers: true,
  servesLists: true,
  idempotency: { begin: () => Promise.resolve({ outcome: 'busy' }) },
})

describe('API document', () => {
  it('has no finding under the recommended lint rules', async () => {
    const findings = await lintFromString({
      source: JSON.stringify(document),
      config: await createConfig({ extends: ['recommended'] }),
    })
    assert.deepEqual(
      findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })
  it('names the scopes of each operation', () => {
    for (const { path, method, id } of operations) {
      const operation = document.paths?.[path]?.[method] as { 'x-scopes'?: readonly string[] }
      assert.deepEqual(operation['x-scopes'], scopesOf(id), id)
    }
  })
  it('has what becomes of a request that is too slow, and of a body that is too large or of another type', () => {
    for (const { path, method } of operations) {
      const { requestBody, responses = {} } = document.paths?.[path]?.[method] ?? {}
      const statuses = ['408', ...(requestBody ? ['413', '415'] : [])] as const
      assert.deepEqual(
        statuses.filter((status) => !(status in responses)),
        [],
        path,
      )
    }
  })
  it('has schemas that match its examples', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'document', ...document })
    let looked = 0
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      for (const method of ['get', 'post', 'delete'] as const) {
        const pointer = `document#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`
        const answer = (item[method]?.responses?.['200'] as Answer | undefined)?.content['application/json']
        if (!answer) continue
        const valid = ajv.validate(
          { $ref: `${pointer}/responses/200/content/application~1json/schema` },
          answer.example,
        )
        assert.ok(valid, `${method} ${path}: ${ajv.errorsText()}`)
        looked += 1
      }
    }
    assert.ok(looked >= operations.length)
  })
})
