import assert from 'node:assert/strict'
import type { CredentialVerifyResult } from '@vidimus/core-types'
import {
  credentialResult,
  isMalformedCredential,
  isMalformedPresentation,
  presentationResult,
} from '../../vc-api/verification-results.js'
import { agentWith, ask, postJson, serve } from '../set-up/service.js'

const SENT = { type: ['VerifiableCredential'] }
const failing = (check: string, more: object = {}): CredentialVerifyResult => ({
  verified: false,
  checks: [
    { check: 'format', ok: check !== 'format' },
    { check, ok: false, message: `no ${check}` },
  ],
  ...more,
})
const shown = (verdict: CredentialVerifyResult) => credentialResult(verdict, SENT, {})
const kindOf = ({ problemDetails }: { problemDetails?: { type: string }[] }) =>
  problemDetails?.at(-1)?.type.replace(/.*#/, '')

describe('results of the VC API', () => {
  it('name the type of each problem', () => {
    for (const [check, kind, isMalformed] of [
      ['format', 'MALFORMED_VALUE_ERROR', true],
      ['document', 'MALFORMED_VALUE_ERROR', true],
      ['signature', 'CRYPTOGRAPHIC_SECURITY_ERROR', true],
      ['status', 'STATUS_VERIFICATION_ERROR', false],
      ['validity', 'about:blank', false],
      ['unheard of', 'about:blank', false],
    ] as const) {
      const result = shown(failing(check))
      assert.equal(kindOf(result), kind, check)
      assert.equal(isMalformedCredential(result), isMalformed, check)
      assert.equal(result.problemDetails?.at(-1)?.detail, `no ${check}`)
    }
    assert.equal(
      kindOf(shown(failing('validity', { validUntil: '2020-01-01T00:00:00Z' }))),
      'CREDENTIAL_EXPIRED',
    )
  })

  it('are short by default, but always say why something was refused', () => {
    const good: CredentialVerifyResult = { verified: true, checks: [{ check: 'format', ok: true }] }
    assert.deepEqual(credentialResult(good, SENT, {}), { verified: true })
    const quiet = { returnProblemDetails: false }
    assert.deepEqual(credentialResult(failing('status'), SENT, quiet), { verified: false })
    assert.equal(kindOf(credentialResult(failing('signature'), SENT, quiet)), 'CRYPTOGRAPHIC_SECURITY_ERROR')
  })

  it('distinguish the start and the end of the validity', () => {
    const credential = { validFrom: '2020-01-01T00:00:00Z', validUntil: '2021-01-01T00:00:00Z' } as never
    const ended = credentialResult(failing('validity', { credential }), SENT, { returnResults: true })
    assert.deepEqual([ended.results?.validFrom?.verified, ended.results?.validUntil?.verified], [true, false])
    const later = { validFrom: '2998-01-01T00:00:00Z', validUntil: '2999-01-01T00:00:00Z' } as never
    const early = credentialResult(failing('validity', { credential: later }), SENT, { returnResults: true })
    assert.deepEqual([early.results?.validFrom?.verified, early.results?.validUntil?.verified], [false, true])
  })

  it('are client errors for presentations with unreadable content', () => {
    const result = (check: string, inside: string) =>
      presentationResult({ ...failing(check), credentials: [failing(inside)] }, SENT, {})
    assert.equal(isMalformedPresentation(result('format', 'status')), true)
    assert.equal(isMalformedPresentation(result('signature', 'status')), false)
    assert.equal(isMalformedPresentation(result('credentials', 'signature')), false)
    assert.equal(isMalformedPresentation(result('credentials', 'document')), true)
  })
})

describe('the VC API', () => {
  const { agent } = agentWith({ credentialVerify: () => Promise.resolve(failing('validity')) })

  it('is served unless switched off', async () => {
    for (const [vcApi, status] of [
      [undefined, 200],
      [true, 200],
      ['false', 404],
      [false, 404],
    ] as const) {
      const service = await serve({ agent, ...(vcApi !== undefined && { vcApi }) })
      try {
        const answer = await postJson(`${service.url}/credentials/verify`, { verifiableCredential: SENT })
        assert.equal(answer.status, status, String(vcApi))
        const { body: document } = await ask(`${service.url}/openapi.json`)
        assert.equal('/credentials/verify' in (document.paths as object), status === 200)
      } finally {
        await service.stop()
      }
    }
  })
})
