import assert from 'node:assert/strict'
import type { AgentError } from '@vidimus/core-types'
import { DIDJwtPlugin } from '@vidimus/credentials'
import { PresentationPlugin } from '../presentation-plugin.js'
import { createKeyDid, createTestAgent } from '../../../credentials/src/__tests__/test-agent.js'

describe('PresentationPlugin', () => {
  it('describes every method such that the Veramo agent can validate it', async () => {
    for (const plugin of [new PresentationPlugin(), new DIDJwtPlugin()]) {
      const { methods, schemas } = plugin.schema.components as Record<string, Record<string, object>>
      assert.deepEqual(Object.keys(methods ?? {}).sort(), Object.keys(plugin.methods).sort())
      for (const method of Object.values(methods ?? {})) {
        const { arguments: args, description } = method as {
          arguments: { $ref: string }
          description: string
        }
        assert.ok(schemas?.[args.$ref.replace('#/components/schemas/', '')])
        assert.ok(description)
      }
    }
    const { agent } = createTestAgent({ schemaValidation: true })
    const { did } = await createKeyDid(agent)
    const args = {
      issuerDid: did,
      subjectDid: did,
      attributes: { name: 'Ada' },
      expirationDate: '2099-01-01',
    }
    const credential = await agent.credentialIssue(args)
    assert.ok((await agent.credentialVerify({ credential })).verified)
    const presentation = await agent.presentationCreate({ credentials: [credential], verifierDid: did })
    const verifying = { presentation: { ...presentation }, verifierDid: did }
    assert.ok((await agent.presentationVerify(verifying)).verified)
    const refused = await agent.presentationVerify({ presentation: 'garbage' })
    assert.equal(refused.verified, false)
    await assert.rejects(agent.presentationCreate({ credentials: [] }), { name: 'ValidationError' })
  })

  it('refuses to verify nothing, and for a verifier that is not text', async () => {
    const { agent } = createTestAgent()
    const nothing = await agent.credentialVerify()
    assert.equal(nothing.verified, false)
    for (const args of [7, 'a.b.c']) {
      await assert.rejects(agent.credentialVerify(args as never), { code: 'invalid_input' })
      await assert.rejects(agent.presentationVerify(args as never), { code: 'invalid_input' })
    }
    for (const verifierDid of [null, '', 7, []]) {
      const args = { presentation: 'a.b.c', verifierDid } as never
      await assert.rejects(agent.presentationVerify(args), {
        code: 'invalid_input',
        message: /^verifierDid: /,
      })
    }
  })

  it('validates its options', () => {
    for (const options of [{ maxCredentials: 0 }, { maxCredentials: '5' }, { max: 5 }, { clock: 5 }]) {
      assert.throws(
        () => new PresentationPlugin(options as never),
        (error: AgentError) => error.code === 'invalid_configuration' && error.details.length === 1,
      )
    }
  })
})
