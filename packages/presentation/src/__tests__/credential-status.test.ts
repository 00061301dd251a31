import assert from 'node:assert/strict'
import { AgentError } from '@vidimus/core-types'
import { normalizeCredential } from 'did-jwt-vc'
import { statusPlugin } from './test-agent.js'
import { assertRefused, setUpVerification, status } from './verification-setup.js'

describe('the status of a credential', () => {
  it('checks the status of a JWT string as of an object', async () => {
    const { issuer, verify } = setUpVerification()
    const expected: [string, RegExp][] = [
      ['urn:revoked', /it is revoked/],
      ['urn:suspended', /it is suspended/],
      ['urn:unverified', /cannot be checked: the list is signed by somebody else/],
      ['urn:error', /cannot be checked: no such list/],
      ['urn:silent', /cannot be checked/],
      ['urn:empty', /cannot be checked/],
    ]
    for (const [id, message] of expected) {
      const jwt = issuer.credential({}, status(id))
      assertRefused(await verify(jwt), 'status', message)
      assertRefused(await verify(normalizeCredential(jwt) as unknown), 'status', message)
    }
    assert.ok((await verify(issuer.credential({}, status('urn:valid')))).verified)
    assertRefused(await verify(issuer.credential(status('urn:revoked'))), 'status', /revoked/)
  })

  it('refuses a credential with a status where nothing can check it', async () => {
    const { issuer, verify } = setUpVerification({ plugins: [] })
    assertRefused(
      await verify(issuer.credential({}, status('urn:valid'))),
      'status',
      /no plugin for the status/,
    )
    assert.ok((await verify(issuer.credential())).verified)
  })

  it('refuses where the check fails, and passes on an outage', async () => {
    const fail = (error: Error) => {
      const throwing = () => {
        throw error
      }
      const { issuer, verify } = setUpVerification({ plugins: [statusPlugin(throwing)] })
      return verify(issuer.credential({}, status('urn:valid')))
    }
    const plain = await fail(new Error('connect ECONNREFUSED 10.0.0.7'))
    assertRefused(plain, 'status', /the check failed$/)
    assertRefused(
      await fail(new AgentError('list_not_found', 'there is no such list')),
      'status',
      /there is no such list$/,
    )
    await assert.rejects(fail(new AgentError('ledger_unavailable', 'down')), { code: 'ledger_unavailable' })
  })
})
