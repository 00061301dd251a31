import type { Place } from '../support/fresh-database.js'
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
import { hostileTextSuite } from './hostile-texts.js'
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
import { statusListInputSuite, statusListSuite } from './status-list.js'
import type { Further, Setup } from './suite.js'
import { tokenStatusListSuite } from './token-status-list.js'
import { vcApiSuite } from './vc-api.js'
import { veramoErrorsSuite } from './veramo-errors.js'

interface Behaviour {
  suite: (setup: Setup) => void
  /** of suites that do not describe themselves */
  title?: string
  /** what differs on a further set-up; it does not run on those that are not named, as nothing does */
  differs?: Partial<Record<Further, string>>
  /** it runs nowhere else */
  only?: 'PostgreSQL' | 'agent'
}

const FEES = 'each change is a transaction that takes blocks and costs fees'
const CACHES = 'what one process keeps in memory, another one changes'
const SIGNED = 'another key management system signs'
const DOORS = 'operations have a method, with errors that remote agents rebuild'

/** All that callers meet: whole on SQLite and on PostgreSQL, and what differs on the further set-ups. */
export const BEHAVIOURS: readonly Behaviour[] = [
  { suite: didCreateSuite, differs: { network: FEES } },
  { suite: statusListSuite, differs: { network: FEES, processes: CACHES, agent: DOORS } },
  { suite: statusListInputSuite, differs: { agent: DOORS } },
  {
    suite: encryptedListSuite,
    title: 'encrypted status lists',
    differs: { network: 'readers pay on the ledger', processes: CACHES },
  },
  {
    suite: pacedListSuite,
    title: 'lists with a pace',
    differs: { network: FEES, processes: 'one of them publishes for all' },
  },
  {
    suite: identifierSuite,
    title: 'resolution',
    differs: { network: 'a node has DIDs and resources', processes: CACHES },
  },
  { suite: listingSuite, title: 'listing' },
  {
    suite: oneSpellingSuite,
    title: 'spelling of a DID',
    differs: { network: 'a node has its own spelling' },
  },
  { suite: eventSuite, title: 'event feed', differs: { processes: 'a stream tells what another one did' } },
  {
    suite: accountAuditSuite,
    title: 'the audit trail of an account',
    differs: { processes: 'each counts what happens again and again' },
  },
  {
    suite: idempotencySuite,
    title: 'idempotency',
    differs: { processes: 'a repeated request meets another one' },
  },
  { suite: keyChangeSuite, title: 'a key in custody', differs: { network: FEES, processes: CACHES } },
  {
    suite: rotationSuite,
    title: 'key rotation',
    differs: { network: FEES, processes: 'one of them signs again for all' },
  },
  {
    suite: receiptSuite,
    title: 'update receipt',
    differs: { network: 'times and versions are those of the node' },
  },
  { suite: registrarSuite, title: 'the registrar', differs: { network: FEES } },
  { suite: resourceSuite, title: 'resources', differs: { network: FEES, processes: CACHES } },
  { suite: costSuite, title: 'ledger cost', differs: { network: FEES } },
  {
    suite: signedAgainSuite,
    title: 'a re-signed list',
    differs: { network: FEES, processes: 'one of them signs again for all' },
  },
  {
    suite: lossSuite,
    title: 'concurrent requests',
    differs: { network: FEES, processes: 'locks are held against another one' },
  },
  { suite: keySuite, differs: { network: `DIDs are imported from a node; ${SIGNED}` } },
  { suite: presentationSuite, differs: { network: SIGNED, agent: DOORS } },
  { suite: requestSuite },
  { suite: credentialStatusSuite, differs: { network: FEES, processes: CACHES, agent: DOORS } },
  { suite: credentialFormatsSuite, differs: { network: SIGNED } },
  { suite: vcApiSuite, title: 'the VC API', differs: { network: FEES } },
  { suite: apiKeySuite, title: 'API keys', differs: { processes: CACHES } },
  { suite: pointInTimeSuite, title: 'points in time' },
  { suite: scopeSuite, title: 'scopes' },
  { suite: authenticationSuite, title: 'authentication' },
  { suite: publishedListSuite, title: 'a published list', differs: { network: FEES, processes: CACHES } },
  { suite: tokenStatusListSuite, title: 'a token status list', differs: { network: FEES, agent: DOORS } },
  { suite: deliveredListSuite, title: 'a delivered list', differs: { network: FEES, processes: CACHES } },
  { suite: signedByDidJwkSuite, title: 'JWTs signed by others with a did:jwk' },
  { suite: isolationSuite, title: 'isolation' },
  { suite: hostileTextSuite, title: 'hostile texts', only: 'PostgreSQL' },
  { suite: veramoErrorsSuite, only: 'agent' },
]

/** All that runs on a database. */
export const everySuite = (setup: Setup, place: Place = 'SQLite'): void =>
  described(
    setup,
    BEHAVIOURS.filter(({ only }) => only === undefined || only === place),
  )

/** What differs on a further set-up. */
export const suitesThatDiffer = (setup: Setup, further: Further): void =>
  described(
    { ...setup, further },
    BEHAVIOURS.filter(({ differs = {}, only }) => differs[further] !== undefined || only === further),
  )

function described(setup: Setup, behaviours: readonly Behaviour[]): void {
  for (const { suite, title } of behaviours) {
    if (title === undefined) suite(setup)
    else describe(title, () => suite(setup))
  }
}
