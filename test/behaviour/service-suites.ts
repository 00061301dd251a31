import { accountAuditSuite } from './account-audit.js'
import { apiKeySuite } from './api-keys.js'
import { authenticationSuite } from './authentication.js'
import { credentialFormatsSuite } from './credential-formats.js'
import { costSuite } from './cost.js'
import { credentialStatusSuite } from './credential-status.js'
import { deliveredListSuite } from './delivered-list.js'
import { didCreateSuite } from './did-create.js'
import { encryptedListSuite } from './encrypted-list.js'
import { eventSuite } from './events.js'
import { idempotencySuite } from './idempotency.js'
import { identifierSuite } from './identifiers.js'
import { isolationSuite } from './isolation.js'
import { keyChangeSuite } from './key-changes.js'
import { keySuite } from './keys-and-import.js'
import { listingSuite } from './listing.js'
import { lossSuite } from './loss.js'
import { oneSpellingSuite } from './one-spelling.js'
import { pacedListSuite } from './paced-list.js'
import { pointInTimeSuite } from './points-in-time.js'
import { presentationSuite } from './presentation.js'
import { publishedListSuite } from './published-list.js'
import { receiptSuite } from './receipts.js'
import { registrarSuite } from './registrar.js'
import { requestSuite } from './requests.js'
import { resourceSuite } from './resources.js'
import { scopeSuite } from './scopes.js'
import { signedByDidJwkSuite } from './signed-by-did-jwk.js'
import { rotationSuite } from './rotation.js'
import { signedAgainSuite } from './signed-again.js'
import { statusListSuite } from './status-list.js'
import type { Setup } from './suite.js'
import { tokenStatusListSuite } from './token-status-list.js'
import { vcApiSuite } from './vc-api.js'

/** All that callers meet. */
export function everySuite(setup: Setup): void {
  suitesThatDiffer(setup)
  keySuite(setup)
  presentationSuite(setup)
  requestSuite(setup)
  credentialStatusSuite(setup)
  credentialFormatsSuite(setup)
  describe('the VC API', () => vcApiSuite(setup))
  describe('API keys', () => apiKeySuite(setup))
  describe('points in time', () => pointInTimeSuite(setup))
  describe('scopes', () => scopeSuite(setup))
  describe('authentication', () => authenticationSuite(setup))
  describe('a published list', () => publishedListSuite(setup))
  describe('a token status list', () => tokenStatusListSuite(setup))
  describe('a delivered list', () => deliveredListSuite(setup))
  describe('JWTs signed by others with a did:jwk', () => signedByDidJwkSuite(setup))
  describe('isolation', () => isolationSuite(setup))
}

/** Suites that run through different code on another database, on a network or in several processes. */
export function suitesThatDiffer(setup: Setup): void {
  didCreateSuite(setup)
  statusListSuite(setup)
  describe('encrypted status lists', () => encryptedListSuite(setup))
  describe('lists with a pace', () => pacedListSuite(setup))
  describe('resolution', () => identifierSuite(setup))
  describe('listing', () => listingSuite(setup))
  describe('spelling of a DID', () => oneSpellingSuite(setup))
  describe('event feed', () => eventSuite(setup))
  describe('the audit trail of an account', () => accountAuditSuite(setup))
  describe('idempotency', () => idempotencySuite(setup))
  describe('a key in custody', () => keyChangeSuite(setup))
  describe('key rotation', () => rotationSuite(setup))
  describe('update receipt', () => receiptSuite(setup))
  describe('the registrar', () => registrarSuite(setup))
  describe('resources', () => resourceSuite(setup))
  describe('ledger cost', () => costSuite(setup))
  describe('a re-signed list', () => signedAgainSuite(setup))
  describe('concurrent requests', () => lossSuite(setup))
}
