import assert from 'node:assert/strict'
import { decode } from 'cborg'
import { decodeProtectedHeader } from 'jose'
import { Client } from './support/client.js'
import { Service } from './support/service.js'

/** Clauses that allow a parameter in any JWS (RFC 7515). */
const JWS = { alg: '4.1.1', typ: '4.1.9', kid: '4.1.4' }

/** Of lists alone: from them this service makes the CWT, and finds the version that was signed. */
const PRIVATE = 'RFC 7515 4.3'

/**
 * Every parameter of what the service signs, with the clause that allows it. Readers refuse others: the verifier of the
 * European reference wallet takes no `kid` in a key binding whose key is `cnf.jwk`.
 */
const ALLOWED: Record<string, Record<string, string>> = {
  jwt_vc: JWS,
  jwt_vp: JWS,
  'vc+jwt': { ...JWS, cty: 'VC-JOSE-COSE 3.1.1' },
  'vp+jwt': { ...JWS, cty: 'VC-JOSE-COSE 3.1.2' },
  'vc+sd-jwt': { ...JWS, cty: 'VC-JOSE-COSE 3.2.1' },
  'dc+sd-jwt': JWS,
  'kb+jwt': { alg: 'RFC 9901 4.3', typ: 'RFC 9901 4.3' },
  'list as vc+jwt': { ...JWS, cty: 'VC-JOSE-COSE 3.1.1', resourceId: PRIVATE },
  'list as statuslist+jwt': { ...JWS, cwt: PRIVATE, resourceId: PRIVATE },
  'list as statuslist+cwt': { 1: 'RFC 9052 3.1', 4: 'RFC 9052 3.1', 16: 'RFC 9596 2' },
  receipt: JWS,
  'proof of ldp_vc': {
    type: 'Data Integrity 2.1',
    cryptosuite: 'Data Integrity 3.1',
    created: 'Data Integrity 2.1',
    verificationMethod: 'Data Integrity 2.1',
    proofPurpose: 'Data Integrity 2.1',
    proofValue: 'Data Integrity 2.1',
  },
}

interface Issued {
  proof: Record<string, unknown> & { jwt?: string }
}

describe('the header of', () => {
  let service: Service
  let client: Client
  let did: string
  before(async () => {
    service = await Service.start({ environment: { VIDIMUS_PUBLIC_URL: 'https://status.example.com' } })
    client = await Client.of(service.url, service.apiKey)
    did = ((await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as { did: string }).did
  })
  after(() => service.stop())

  const issue = async (format: string) => {
    const json = { format, issuerDid: did, subjectDid: did, attributes: { name: 'Ada' } }
    const own = format === 'dc+sd-jwt' ? { vct: 'https://credentials.example/person' } : {}
    const terms =
      format === 'ldp_vc' ? { '@context': ['https://www.w3.org/ns/credentials/undefined-terms/v2'] } : {}
    return (await client.ok('POST', '/credential/issue', { json: { ...json, ...own, ...terms } })) as Issued
  }
  const secured = async (format: string) => (await issue(format)).proof.jwt ?? assert.fail('it has a JWT')
  const present = async (format: string, of: string) => {
    const json = {
      format,
      holderDid: did,
      credentials: [await secured(of)],
      audience: 'https://rp.example',
      nonce: 'n',
    }
    return ((await client.ok('POST', '/presentation/create', { json })) as Issued).proof.jwt ?? ''
  }
  const list = async (listType: string, statusListName: string) => {
    const query = { listType, statusPurpose: 'revocation' }
    const json = { did, statusListName, address: 'https' }
    return (await client.ok('POST', '/credential-status/create/unencrypted', { query, json })) as {
      statusListId: string
      resource: { jwt: string }
    }
  }
  const header = (jwt: string) => decodeProtectedHeader(jwt.split('~', 1)[0] ?? '')

  const MADE: Record<string, () => Promise<object>> = {
    jwt_vc: async () => header(await secured('jwt_vc')),
    'vc+jwt': async () => header(await secured('vc+jwt')),
    'vc+sd-jwt': async () => header(await secured('vc+sd-jwt')),
    'dc+sd-jwt': async () => header(await secured('dc+sd-jwt')),
    'kb+jwt': async () => header((await present('dc+sd-jwt', 'dc+sd-jwt')).split('~').at(-1) ?? ''),
    jwt_vp: async () => header(await present('jwt_vp', 'jwt_vc')),
    'vp+jwt': async () => header(await present('vp+jwt', 'vc+jwt')),
    'list as vc+jwt': async () => header((await list('BitstringStatusList', 'bits')).resource.jwt),
    'list as statuslist+jwt': async () => header((await list('TokenStatusList', 'tokens')).resource.jwt),
    'list as statuslist+cwt': async () => {
      const { statusListId } = await list('TokenStatusList', 'cwt')
      const headers = { accept: 'application/statuslist+cwt' }
      const response = await fetch(`${service.url}/status-lists/${statusListId}`, { headers })
      const tags = { 18: (content: () => unknown) => content() }
      const message: unknown = decode(new Uint8Array(await response.arrayBuffer()), { useMaps: true, tags })
      const [bytes, unprotected] = message as [Uint8Array, Map<number, unknown>]
      const all = [...(decode(bytes, { useMaps: true }) as Map<number, unknown>), ...unprotected]
      return Object.fromEntries(all)
    },
    receipt: async () => {
      await list('TokenStatusList', 'updated')
      const query = { listType: 'TokenStatusList', statusAction: 'revoke' }
      const json = { did, statusListName: 'updated', indices: [1], receipt: true }
      const updated = await client.ok('POST', '/credential-status/update/unencrypted', { query, json })
      return header((updated as { receipt: string }).receipt)
    },
    'proof of ldp_vc': async () => (await issue('ldp_vc')).proof,
  }
  for (const [title, make] of Object.entries(MADE)) {
    it(`${title} has no parameter that its specification does not know`, async () => {
      const allowed = ALLOWED[title] ?? {}
      const made = Object.keys(await make())
      assert.deepEqual(
        made.filter((name) => !(name in allowed)),
        [],
      )
    })
  }
})
