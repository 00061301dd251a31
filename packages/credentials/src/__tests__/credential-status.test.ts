import assert from 'node:assert/strict'
import { AgentError, type StatusPolicy } from '@vidimus/core-types'
import { normalizeCredential } from 'did-jwt-vc'
import { statusPlugin } from './test-agent.js'
import { assertRefused, setUpVerification, status } from './verification-setup.js'

describe('status of a credential', () => {
  it('is checked for a JWT string as for an object', async () => {
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

  it('fails verification if it cannot be checked', async () => {
    const { issuer, verify } = setUpVerification({ plugins: [] })
    assertRefused(
      await verify(issuer.credential({}, status('urn:valid'))),
      'status',
      /no plugin for the status/,
    )
    assert.ok((await verify(issuer.credential())).verified)
  })

  it('fails verification if the check fails, but passes on an outage', async () => {
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

  it('is checked if it is only in the claim "status"', async () => {
    const asked: unknown[] = []
    const plugin = {
      methods: {
        checkCredentialStatus: ({ credential }: { credential: Record<string, unknown> }) => {
          asked.push(credential.status)
          return Promise.resolve({ revoked: true, verified: false })
        },
      },
    }
    const { issuer, verify } = setUpVerification({ plugins: [plugin] })
    const status = { status_list: { idx: 1, uri: 'urn:list' } }
    assertRefused(await verify(issuer.credential({ status })), 'status', /it is revoked/)
    assertRefused(await verify(issuer.credential({}, { status })), 'status', /it is revoked/)
    assert.deepEqual(asked, [status, status])
    const hidden = issuer.credential({ status }, { status: 'issued' })
    assertRefused(
      await verify(hidden),
      'format',
      /the status of the JWT does not match the status in its "vc"/,
    )
    const own = await verify(issuer.credential({}, { status: 'honorary' }))
    assert.equal(own.verified, true)
    assert.equal((await verify(issuer.credential({ status: 'VALID' }))).verified, false)
    const alone = setUpVerification({ plugins: [] })
    assertRefused(
      await alone.verify(alone.issuer.credential({ status })),
      'status',
      /no plugin for the status/,
    )
  })

  it('is reported for each entry, in the words of the checker', async () => {
    const statuses = [{ type: 'T', purpose: 'revocation', list: 'did:x?resourceName=a', index: 7 }]
    const answers: [object, RegExp | undefined][] = [
      [{ revoked: false, verified: true, statuses }, undefined],
      [
        { revoked: true, verified: false, statuses, message: 'it is revoked (index 7)' },
        /^it is revoked \(index 7\)$/,
      ],
      [{ revoked: true, verified: false, statuses, message: 'something else' }, /^it is revoked$/],
      [
        { revoked: false, suspended: true, verified: false, statuses, message: 'it is suspended (7)' },
        /^it is suspended \(7\)$/,
      ],
      [{ revoked: false, verified: false, statuses, message: 'its status is 3' }, /^its status is 3$/],
      [
        { revoked: false, verified: false, statuses, errors: [{}], message: 'no list' },
        /^its status cannot be checked: no list$/,
      ],
    ]
    for (const [answer, objection] of answers) {
      const { issuer, verify } = setUpVerification({ plugins: [statusPlugin(() => answer)] })
      const result = await verify(issuer.credential({}, status('urn:x')))
      assert.deepEqual(result.statuses, statuses)
      assert.equal(result.verified, objection === undefined)
      if (objection) assert.match(result.problems?.[0]?.message ?? '', objection)
    }
    for (const odd of ['x', [1], {}]) {
      const plugins = [statusPlugin(() => ({ revoked: false, verified: true, statuses: odd }))]
      const { issuer, verify } = setUpVerification({ plugins })
      const result = await verify(issuer.credential({}, status('urn:x')))
      assert.deepEqual([result.verified, 'statuses' in result], [true, false])
    }
  })

  it("is checked according to the caller's policy", async () => {
    const asked: unknown[] = []
    const answers: Record<string, object> = {
      'urn:revocation': { revoked: false, verified: true, statuses: [{ index: 1, revoked: false }] },
      'urn:suspension': { revoked: false, verified: true, statuses: [{ index: 1, suspended: false }] },
      'urn:unread': {
        revoked: false,
        verified: false,
        statuses: [{ error: 'no list' }],
        errors: [{}],
        message: 'no list',
      },
    }
    const plugin = statusPlugin((id) => {
      asked.push(id)
      return answers[id]
    })
    const { issuer, agent } = setUpVerification({ plugins: [plugin] })
    const verdict = async (id: string | undefined, statusPolicy: StatusPolicy) => {
      const credential = issuer.credential({}, id === undefined ? {} : status(id))
      const { verified, problems } = await agent.credentialVerify({ credential, statusPolicy })
      return verified ? 'verified' : String(problems?.[0]?.message)
    }
    const none = 'it has no status entry for revocation, which is required'
    const unread = 'its status cannot be checked: no list'
    const expected: [string | undefined, Record<StatusPolicy, string>][] = [
      [undefined, { default: 'verified', required: none, skip: 'verified' }],
      ['urn:revocation', { default: 'verified', required: 'verified', skip: 'verified' }],
      ['urn:suspension', { default: 'verified', required: none, skip: 'verified' }],
      ['urn:unread', { default: unread, required: unread, skip: 'verified' }],
    ]
    for (const [id, says] of expected) {
      for (const [policy, answer] of Object.entries(says) as [StatusPolicy, string][]) {
        asked.length = 0
        assert.equal(await verdict(id, policy), answer, `${id} ${policy}`)
        assert.equal(asked.length, id === undefined || policy === 'skip' ? 0 : 1)
      }
    }
    await assert.rejects(verdict(undefined, 'strict' as StatusPolicy), {
      message: 'statusPolicy: must be default, required or skip',
    })
  })
})
