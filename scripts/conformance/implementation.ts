import type { Client } from '../../test/support/client.js'

/** What the suites call kinds of keys, and DIDs that have such a key here. */
const ISSUERS = [
  { tag: 'eddsa-rdfc-2022', did: { providerId: 'did:key', options: { keyType: 'Ed25519' } } },
  { tag: 'ecdsa-rdfc-2019', did: { providerId: 'did:jwk', options: { keyType: 'Secp256r1' } } },
]

/** Tags of the suites that are not about one cryptosuite. */
const DATA_MODEL = 'vc2.0'
const STATUS_LIST = 'BitstringStatusList'

/** Of w3c/vc-jose-cose-test-suite; there is no COSE for credentials, and no `vp+sd-jwt`. */
const JOSE_FEATURES = { credential_jose: true, presentation_jose: true, credential_sdjwt: true }

const LIST_NAME = 'conformance'
const PURPOSE = 'revocation'

/**
 * Creates issuers, with a status list of the first one.
 *
 * @param url - where the suites find the service, without a slash at its end
 * @param format - of the credentials that are issued
 * @returns the service as the suites expect their implementations described, see w3c/vc-test-suite-implementations
 */
export async function implementationEntry(client: Client, url: string, format: string) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const endpoint = (path: string, tags: string[], members: object = {}) => ({
    id: `${url}${path}`,
    endpoint: `${url}${path}`,
    headers,
    options: {},
    supports: { vc: ['1.1', '2.0'] },
    supportedEcdsaKeyTypes: ['P-256'],
    tags: [...tags, 'localhost'],
    ...members,
  })
  const issuer = (id: string, tags: string[], options: object = {}) =>
    endpoint('/credentials/issue', tags, { id, options: { format, ...options }, supports: { vc: ['2.0'] } })
  const issuers = []
  for (const { tag, did: request } of ISSUERS) {
    const { did } = (await client.ok('POST', '/did/create', { json: request })) as { did: string }
    issuers.push(issuer(did, [tag]))
  }
  const { did } = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
    did: string
  }
  await client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType: 'BitstringStatusList', statusPurpose: PURPOSE },
    json: { did, statusListName: LIST_NAME, address: 'https', embeddedProof: true },
  })
  const credentialStatus = { statusListName: LIST_NAME, statusPurpose: PURPOSE }
  const everywhere = [...ISSUERS.map(({ tag }) => tag), DATA_MODEL, STATUS_LIST]
  return {
    settings: { enableInteropTests: false, testAllImplementations: false },
    implementations: [
      {
        name: 'Vidimus',
        implementation: 'Vidimus',
        'jose-cose': { features: JOSE_FEATURES },
        issuers: [...issuers, issuer(did, [DATA_MODEL]), issuer(did, [STATUS_LIST], { credentialStatus })],
        verifiers: [endpoint('/credentials/verify', everywhere)],
        vpVerifiers: [endpoint('/presentations/verify', everywhere)],
      },
    ],
  }
}
