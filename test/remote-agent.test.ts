import assert from 'node:assert/strict'
import { suitesThatDiffer } from './behaviour/service-suites.js'
import type { Setup } from './behaviour/suite.js'
import { assertRefused } from './support/refused.js'
import { RemoteAgentClient } from './support/remote-agent-client.js'
import { Service } from './support/service.js'

/** The behaviour of the service, as other Veramo agents meet it. */
describe('service for remote agents', () => {
  let service: Service
  let client: RemoteAgentClient
  let stranger: RemoteAgentClient
  before(async () => {
    service = await Service.start()
    client = await RemoteAgentClient.of(service.url, service.apiKey)
    stranger = client.as((await service.apiKeyOf('stranger')).apiKey)
  })
  after(async () => {
    await service.stop()
    assert.ok(client.calls > 100, `${client.calls} calls went through a remote agent`)
  })

  it('reports errors that Veramo itself has no words for', async () => {
    const { did, keys } = (await client.ok('POST', '/agent/didManagerCreate', {
      json: { provider: 'did:key' },
    })) as { did: string; keys: { kid: string }[] }
    const keyRef = keys[0]?.kid
    const mistakes: [method: string, args: object, code: string][] = [
      ['keyManagerSign', { keyRef, data: 'zz', encoding: 'hex' }, 'invalid_input'],
      // hours, where it is carried out
      ['keyManagerSign', { keyRef, data: diamond(33), algorithm: 'eth_signTypedData' }, 'invalid_input'],
      ['keyManagerSignJWT', { kid: keyRef, data: { buffer: 'x', length: 1 } }, 'invalid_input'],
      ['didManagerAddKey', { did, key: keys[0] }, 'invalid_input'],
      ['didManagerUpdate', { did, document: {} }, 'invalid_input'],
      ['getDIDComponentById', { didDocument: { id: did }, didUrl: `${did}#x` }, 'invalid_input'],
      ['createVerifiableCredential', { credential: { issuer: did }, proofFormat: 'none' }, 'invalid_input'],
      [
        'createVerifiablePresentation',
        { presentation: { holder: did, verifiableCredential: ['x'] }, proofFormat: 'jwt' },
        'invalid_credential',
      ],
    ]
    for (const [method, json, code] of mistakes) {
      assertRefused(await client.post(`/agent/${method}`, { json }), { code })
    }
  })

  it("does not require a network, which Veramo's arguments cannot name", async () => {
    for (const [method, json] of [
      ['didManagerCreate', undefined],
      ['didManagerGetOrCreate', { alias: 'no-network' }],
    ] as const) {
      const { did } = (await client.ok('POST', `/agent/${method}`, json ? { json } : {})) as { did: string }
      assert.match(did, /^did:cheqd:testnet:/)
    }
    assertRefused(await client.post('/did/create', { json: {} }), { code: 'invalid_input', path: 'network' })
  })

  const setup: Setup = {
    service: () => service,
    client: () => client,
    stranger: () => stranger,
    remote: true,
  }
  suitesThatDiffer(setup, 'agent')
})

/** Typed data of Ethereum whose types refer to each other twice on each level. */
function diamond(levels: number): string {
  const reference = (name: string, level: number) => ({
    name,
    type: level === levels ? 'uint8' : `T${level + 1}`,
  })
  const types = Array.from({ length: levels }, (_, n) => [
    `T${n + 1}`,
    ['a', 'b'].map((name) => reference(name, n + 1)),
  ])
  const message = { a: null, b: null }
  return JSON.stringify({
    types: Object.fromEntries(types) as object,
    primaryType: 'T1',
    domain: {},
    message,
  })
}
