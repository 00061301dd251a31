/** What a request of the collection has beside its first example, so that all of them work when they are sent in their order. */
export interface CollectionStep {
  /** in place of members of the example; `undefined` leaves one out */
  body?: Record<string, unknown>
  /** in place of those of the example; what is optional is sent as well */
  query?: Record<string, string>
  /** in place of the parts of the path that have no example */
  path?: Record<string, string>
  /** variables for the requests after it, and where they stand in its answer */
  keep?: Record<string, string>
  /** it ends what others need: it comes in a folder behind all others */
  last?: true
}

/** What stands in the examples of the API document, and the variable in its place. */
export const EXAMPLES_OF_VARIABLES: readonly (readonly [example: RegExp, variable: string])[] = [
  [/did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0/g, 'did'],
  [/did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK/g, 'did'],
  [/eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9\.eyJ2YyI6e319\.c2lnbmF0dXJl/g, 'credential'],
]

/** The DID of the private key that the examples import. */
const IMPORTED_DID = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw'

const list = { statusListName: 'my-list', listType: 'BitstringStatusList' }
// An item ends by itself, so that there may be none.
const WORK_ID = 'WyJwdWJsaWNhdGlvbiIsIjEiLCJrZXkiXQ'
const ofWork = Object.fromEntries(
  ['work', 'operator-work'].flatMap((door) =>
    ['retry', 'pause', 'resume', 'cancel'].map((action) => [`${door}-${action}`, { path: { id: WORK_ID } }]),
  ),
)
const inMyList = (statusPurpose: string) => ({ statusListName: list.statusListName, statusPurpose })
const encrypted = { body: { statusListName: 'my-encrypted-list' } }
const ofRegistrar = { body: { did: '{{registeredDid}}' } }
const ofVersion = { path: { versionId: '{{versionId}}' } }
const ofResource = { path: { resourceId: '{{resourceId}}' } }
const enveloped = {
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  id: '{{envelope}}',
  type: 'EnvelopedVerifiableCredential',
}
const ofAccount = { path: { name: '{{accountName}}' } }
const ofWebhook = { path: { id: '{{webhookId}}' } }

/** In their order, by the id of the operation; the others come in the order of the document. */
export const STEPS: Readonly<Record<string, CollectionStep>> = {
  'did-create': { keep: { did: 'did' } },
  'did-import': { body: { did: IMPORTED_DID } },
  'did-search': { keep: { versionId: 'didDocumentMetadata.versionId' } },
  'registrar-create': { query: { method: 'cheqd' }, keep: { registeredDid: 'didState.did' } },
  'registrar-update': {
    body: {
      did: '{{registeredDid}}',
      didDocument: [
        {
          service: [
            {
              id: '{{registeredDid}}#files',
              type: 'Files',
              serviceEndpoint: 'https://example.com/files',
            },
          ],
        },
      ],
    },
  },
  'registrar-deactivate': ofRegistrar,
  'key-create': { body: { alias: undefined }, keep: { kid: 'kid' } },
  'key-import': { body: { alias: undefined } },
  'key-read': { path: { kid: '{{kid}}' } },
  'key-delete': { path: { kid: '{{kid}}' }, last: true },
  'key-certificate': { body: { certificateChain: [] } },
  'resource-create': { keep: { resourceId: 'resource.resourceId' } },
  'create-status-list': {
    query: { listType: list.listType, statusPurpose: 'revocation,suspension' },
    keep: { statusListId: 'statusListId' },
  },
  'status-list-read': { path: { statusListId: '{{statusListId}}' } },
  'update-status-list': { query: { listType: list.listType } },
  'create-encrypted-status-list': encrypted,
  'update-encrypted-status-list': encrypted,
  'sign-status-list': { query: { listType: list.listType } },
  'check-status-list': { query: { listType: list.listType } },
  'search-status-list': { query: list },
  'status-list-entries': { query: list },
  'status-list-versions': { query: list },
  'status-job-create': { query: {}, body: { kid: '{{kid}}' }, keep: { jobId: 'id' } },
  ...Object.fromEntries(
    ['read', 'report', 'pause', 'resume', 'cancel'].map((act) => [
      `status-job-${act}`,
      { path: { id: '{{jobId}}' } },
    ]),
  ),
  'credential-issue': {
    body: { expirationDate: undefined, credentialStatus: ['revocation', 'suspension'].map(inMyList) },
    keep: { credential: 'proof.jwt', credentialId: 'id' },
  },
  'credential-suspend': {},
  'credential-reinstate': {},
  'credential-entries': { query: { credentialId: '{{credentialId}}' } },
  'credential-revoke': { last: true },
  'vc-api-status': {
    body: {
      credentialId: '{{credentialId}}',
      credentialStatus: { type: 'BitstringStatusListEntry', statusPurpose: 'revocation' },
    },
    last: true,
  },
  'vc-api-issue': { body: { options: { format: 'vc+jwt' } }, keep: { envelope: 'verifiableCredential.id' } },
  'vc-api-verify-credential': { body: { verifiableCredential: enveloped } },
  'vc-api-create-presentation': {
    body: {
      presentation: {
        '@context': enveloped['@context'],
        type: ['VerifiablePresentation'],
        holder: '{{did}}',
        verifiableCredential: [enveloped],
      },
    },
  },
  'presentation-create': { keep: { presentation: 'proof.jwt' } },
  'presentation-verify': { body: { presentation: '{{presentation}}' } },
  'resource-read': ofResource,
  'resource-metadata': ofResource,
  'did-version': ofVersion,
  'did-version-metadata': ofVersion,
  'api-key-create': { keep: { apiKeyId: 'id' } },
  'api-key-rotate': { path: { id: '{{apiKeyId}}' } },
  'api-key-revoke': { path: { id: '{{apiKeyId}}' }, last: true },
  'webhook-create': { keep: { webhookId: 'id' } },
  'webhook-dead-letters': ofWebhook,
  'webhook-replay': { ...ofWebhook, body: { events: undefined } },
  'webhook-resume': ofWebhook,
  'webhook-revoke': { ...ofWebhook, last: true },
  'did-deactivate': { last: true },
  ...ofWork,
  'operator-account-create': { keep: { accountName: 'account.name' } },
  'operator-account-disable': ofAccount,
  'operator-account-enable': ofAccount,
  'operator-account-delete': { ...ofAccount, last: true },
  // A session begins in a browser, so that there may be none to end.
  'operator-session-end': { path: { id: '3d1c0b7e-8f57-4b5e-9a4c-2f6f0c1d7e22' }, last: true },
}
