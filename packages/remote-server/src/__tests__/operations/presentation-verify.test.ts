import assert from 'node:assert/strict'
import { agentWith, postJson, serve, type TestService } from '../set-up/service.js'

describe('POST /presentation/verify', () => {
  const presentation = {
    vp: { '@context': [], type: ['VerifiablePresentation'], verifiableCredential: ['a.b.c'] },
    nbf: 1,
    iss: 'did:example:holder',
    aud: [],
    proof: { type: 'JwtProof2020', jwt: 'a.b.c' },
  }
  let service: TestService
  const { agent, calls } = agentWith({
    presentationCreate: () => Promise.resolve(presentation),
    presentationVerify: () => Promise.resolve({ verified: true, checks: [], credentials: [] }),
  })
  before(async () => {
    service = await serve({ agent })
  })
  beforeEach(() => (calls.length = 0))
  after(() => service.stop())

  const verify = (sent: unknown) => postJson(`${service.url}/presentation/verify`, { presentation: sent })

  it('accepts the response of /presentation/create as it is', async () => {
    const created = await postJson(`${service.url}/presentation/create`, { credentials: ['a.b.c'] })
    assert.match(String(created.body.note), /for testing/)
    assert.equal((await verify(created.body)).status, 200)
    assert.deepEqual(calls[1]?.args, { presentation })
  })

  it('leaves every other presentation unchanged', async () => {
    for (const sent of [presentation, { ...presentation, note: 'of somebody else' }, 'a.b.c']) {
      calls.length = 0
      await verify(sent)
      assert.deepEqual(calls[0]?.args, { presentation: sent })
    }
  })
})
