import assert from 'node:assert/strict'
import type { CredentialVerifyResult, VerificationCheck } from '@vidimus/core-types'
import { ForeignSigner } from './foreign-signer.js'
import { createTestAgent, statusPlugin, type TestSetup } from './test-agent.js'

export const NOW = new Date('2026-03-01T12:00:00Z')
export const SECONDS = NOW.getTime() / 1000
export const SUBJECT = 'did:test:subject'

/** The responses of the status plugin, by the id of the credential's status. */
const STATUS_ANSWERS: Record<string, unknown> = {
  'urn:valid': { revoked: false, verified: true },
  'urn:revoked': { revoked: true, verified: true },
  'urn:suspended': { revoked: false, suspended: true, verified: false },
  'urn:unverified': { revoked: false, verified: false, message: 'the list is signed by somebody else' },
  'urn:error': { revoked: false, verified: false, error: { message: 'no such list' } },
  'urn:silent': undefined,
  'urn:empty': {},
}

/** An agent, the issuer of the credentials that it verifies, and the verifying itself, which takes anything. */
export function setUpVerification({ plugins, ...setup }: TestSetup = {}) {
  const test = createTestAgent({
    options: { clock: () => NOW },
    plugins: plugins ?? [statusPlugin((id) => STATUS_ANSWERS[id])],
    ...setup,
  })
  const issuer = new ForeignSigner('did:test:issuer', test.documents)
  const verify = (credential: unknown) => test.agent.credentialVerify({ credential } as never)
  return { ...test, issuer, verify }
}

export const failedChecks = ({ checks }: { checks: VerificationCheck[] }): string[] =>
  checks.filter(({ ok }) => !ok).map(({ check }) => check)

/** Asserts that one check alone failed, and why. */
export function assertRefused(result: CredentialVerifyResult, check: string, message: RegExp): void {
  assert.equal(result.verified, false)
  assert.deepEqual(failedChecks(result), [check], JSON.stringify(result))
  assert.match(result.problems?.[0]?.message ?? '', message)
  assert.equal(result.problems?.[0]?.path, 'credential')
}

/** The member of a credential that names a status. */
export const status = (id: string) => ({ credentialStatus: { id, type: 'TestStatus' } })
