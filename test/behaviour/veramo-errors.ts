import assert from 'node:assert/strict'
import { Agent } from '@veramo/core'
import { AgentRestClient } from '@veramo/remote-client'
import { localVeramoAgent } from '../support/local-veramo-agent.js'
import type { Setup } from './suite.js'

/** An agent by the names of its methods. */
interface Callable {
  execute(method: string, args: object): Promise<unknown>
}

interface Made {
  did: string
  key: { kid: string }
}

const UNKNOWN = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const service = { id: '#s', type: 'x', serviceEndpoint: 'https://acme.test' }

/** Possible mistakes of a caller; `made` is a did:key of the agent. */
const MISTAKES: readonly (readonly [method: string, args: (made: Made) => object])[] = [
  ['keyManagerGet', () => ({ kid: 'none' })],
  ['keyManagerDelete', () => ({ kid: 'none' })],
  ['keyManagerSign', () => ({ keyRef: 'none', data: 'x' })],
  ['keyManagerSignJWT', () => ({ kid: 'none', data: 'x' })],
  ['keyManagerCreate', () => ({ kms: 'none', type: 'Ed25519' })],
  ['keyManagerCreate', () => ({ kms: 'local', type: 'Bls12381G1' })],
  ['didManagerGet', () => ({ did: UNKNOWN })],
  ['didManagerGetByAlias', () => ({ alias: 'none' })],
  ['didManagerSetAlias', () => ({ did: UNKNOWN, alias: 'none' })],
  ['didManagerAddKey', ({ key }) => ({ did: UNKNOWN, key })],
  ['didManagerAddService', () => ({ did: UNKNOWN, service })],
  ['didManagerRemoveService', () => ({ did: UNKNOWN, id: '#s' })],
  ['didManagerCreate', () => ({ provider: 'did:none' })],
  ['didManagerCreate', () => ({ provider: 'did:key', alias: 'veramo-errors' })],
  ['didManagerGetOrCreate', () => ({ provider: 'did:jwk', alias: 'veramo-errors' })],
  ['didManagerUpdate', ({ did }) => ({ did, document: {} })],
  ['didManagerAddService', ({ did }) => ({ did, service })],
  ['getDIDComponentById', ({ did }) => ({ didDocument: { id: did }, didUrl: `${did}#none` })],
  [
    'createVerifiableCredential',
    () => ({ credential: { issuer: UNKNOWN, credentialSubject: { a: 1 } }, proofFormat: 'jwt' }),
  ],
  [
    'createVerifiableCredential',
    ({ did }) => ({ credential: { issuer: did, credentialSubject: { a: 1 } }, proofFormat: 'none' }),
  ],
  ['createVerifiablePresentation', () => ({ presentation: { holder: UNKNOWN }, proofFormat: 'jwt' })],
]

/** The same where the DIDs differ that each agent has made. */
const told = (message: string) => message.replace(/did:[\w:]+/g, 'DID')

export function veramoErrorsSuite({ service: running, client }: Setup): void {
  describe("errors in Veramo's words", () => {
    let local: Awaited<ReturnType<typeof localVeramoAgent>>
    let remote: Callable
    const made = new Map<Callable, Made>()
    before(async () => {
      local = await localVeramoAgent()
      const { url, apiKey } = running()
      remote = new Agent({
        plugins: [
          new AgentRestClient({
            url: `${url}/agent`,
            enabledMethods: [...new Set(['didManagerCreate', ...MISTAKES.map(([method]) => method)])],
            headers: { authorization: `Bearer ${apiKey}` },
          }),
        ],
      })
      for (const agent of [remote, local.agent as unknown as Callable]) {
        const args = { provider: 'did:key', alias: 'veramo-errors' }
        const { did, keys } = (await agent.execute('didManagerCreate', args)) as {
          did: string
          keys: [Made['key']]
        }
        made.set(agent, { did, key: keys[0] })
      }
    })
    after(() => local.stop())

    const refusal = async (agent: Callable, method: string, args: (of: Made) => object): Promise<string> => {
      const of = made.get(agent)
      assert.ok(of)
      try {
        await agent.execute(method, args(of))
      } catch (error) {
        return (error as Error).message
      }
      return assert.fail(`${method} is not refused`)
    }

    MISTAKES.forEach(([method, args], n) => {
      it(`${method} is refused like by a local agent (${n + 1})`, async () => {
        const expected = await refusal(local.agent, method, args)
        assert.equal(told(await refusal(remote, method, args)), told(expected))
      })
    })

    it('a credential without statements about its subject is a client error', async () => {
      const credential = { issuer: { id: made.get(remote)?.did }, credentialSubject: {} }
      const { status, body } = await client().post('/agent/createVerifiableCredential', {
        json: { credential, proofFormat: 'jwt' },
      })
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal((body as { code: string }).code, 'invalid_input')
    })

    it('messages that Veramo does not have follow its prefix, together with the paths', async () => {
      const { status, body } = await client().post('/agent/didManagerGet', { json: {} })
      assert.equal(status, 400)
      const { code, error, details } = body as { code: string; error: string; details: unknown }
      assert.deepEqual([code, error], ['invalid_input', 'invalid_argument: did: is required'])
      assert.deepEqual(details, [{ path: 'did', message: 'is required' }])
      const sign = { keyRef: made.get(remote)?.key.kid, data: 'x', algorithm: 'ES999' }
      assert.match(await refusal(remote, 'keyManagerSign', () => sign), /^not_supported: algorithm: /)
    })
  })
}
