import assert from 'node:assert/strict'
import { agentWith, ask, serve } from '../set-up/service.js'

describe('GET /1.0/properties', () => {
  const updatable = async (methods: Parameters<typeof agentWith>[0]) => {
    const providers = ['did:folder', 'did:once', 'did:key']
    const { agent } = agentWith({ didManagerGetProviders: () => Promise.resolve(providers), ...methods })
    const service = await serve({ agent })
    const { body } = await ask(`${service.url}/1.0/properties`)
    await service.stop()
    return Object.entries(body as unknown as Record<string, { updatable: boolean }>)
      .filter(([, one]) => one.updatable)
      .map(([method]) => method)
  }

  it('claims support for updates only if the provider has it', async () => {
    const didManagerListProviders = () =>
      Promise.resolve(
        ['did:folder', 'did:once', 'did:key'].map((name) => ({
          name,
          canUpdate: name !== 'did:once',
          checksOptions: false,
        })),
      )
    assert.deepEqual(await updatable({ didManagerListProviders }), ['folder'])
  })

  it('goes by method names if nothing else is known', async () => {
    assert.deepEqual(await updatable({}), ['folder', 'once'])
  })
})
