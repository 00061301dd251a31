import { randomBytes, randomInt } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Client } from './client.js'
import { atOnce, update } from './list-history.js'

/** What a hostile account has made, as wide, long and many as its limits allow. */
export interface DearWorld {
  /** with a document at its bounds, changed often */
  did: string
  /** of that document, with a key of the account */
  kid: string
  /** of `did`: many versions, each with thousands of changes */
  chain: string
  /** of `did`: with an incompressible list of the caller's */
  noise: string
  /** of `did`: as long as may be */
  long: string
  /** oldest and newest version of `chain` */
  versions: [string, string]
  /** with many versions of megabytes */
  resource: { did: string; resourceName: string; resourceType: string; oldest: string; data: string }
  /** asks for sixteen lists */
  credentials: string[]
  /** nearly as long as a request may be */
  longCredential: string
  /** the document as a whole, and what it has of the caller's */
  document: object
  documentMembers: { service: object[]; alsoKnownAs: string[] }
}

const LISTS = 16
const CREDENTIALS = 70
const VERSIONS = 70
const CHANGES_OF_DOCUMENT = 8
const VERSIONS_OF_RESOURCE = 6
const DIDS = 200

export const BITSTRING = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
/** Nearly as much as the server takes by default. */
const LONG_BYTES = 700_000
export const ALIAS = 'a'.repeat(1000)

export const randomIndices = (count: number, length = 131_072): number[] => [
  ...new Set(Array.from({ length: count }, () => randomInt(length))),
]

/** A list that nothing makes smaller. */
export const noise = (): string => `u${gzipSync(randomBytes(500_000)).toString('base64url')}`

const endpoint = (n: number): string => `https://host-${n}.example/${'p'.repeat(1000)}`

/** Fills an account through the service itself. */
export async function dearWorld(client: Client): Promise<DearWorld> {
  const { did, controllerKeyId: kid } = await newDid(client)
  const documentMembers = {
    service: Array.from({ length: 95 }, (_, n) => ({
      id: `${did}#service-${n}`,
      type: 'LinkedDomains',
      serviceEndpoint: [endpoint(n)],
    })),
    alsoKnownAs: Array.from({ length: 100 }, (_, n) => `https://other-${n}.example/`),
  }
  const { didDocument } = (await client.ok('POST', '/agent/resolveDid', { json: { didUrl: did } })) as {
    didDocument: object
  }
  for (let n = 0; n < CHANGES_OF_DOCUMENT; n += 1) {
    const { alsoKnownAs, service } = documentMembers
    const document = { ...didDocument, service: [...service.slice(n), ...service.slice(0, n)], alsoKnownAs }
    await client.ok('POST', '/agent/didManagerUpdate', { json: { did, document } })
  }
  const names = await lists(client, did)
  const versions = await longChain(client, { did, statusListName: 'chain' })
  await atOnce(8, Array.from({ length: DIDS }), async (_, n) => {
    const json = { provider: n % 2 === 0 ? 'did:key' : 'did:jwk', alias: `${ALIAS}${n}` }
    await client.ok('POST', '/agent/didManagerCreate', { json })
  })
  const [longCredential = '', ...credentials] = await issued(client, did, names)
  const resource = await manyVersions(client, did)
  return {
    did,
    kid,
    chain: 'chain',
    noise: 'noise',
    long: 'long',
    versions,
    resource,
    credentials,
    longCredential,
    document: { ...didDocument, ...documentMembers },
    documentMembers,
  }
}

const newDid = async (client: Client) =>
  (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
    did: string
    controllerKeyId: string
  }

async function lists(client: Client, did: string): Promise<string[]> {
  const create = (json: object) =>
    client.ok('POST', '/credential-status/create/unencrypted', { query: BITSTRING, json: { did, ...json } })
  const names = Array.from({ length: LISTS }, (_, n) => `list-${n}`)
  for (const statusListName of [...names, 'chain']) await create({ statusListName })
  await create({ statusListName: 'long', length: 10_000_000 })
  await create({
    statusListName: 'noise',
    encodedList: noise(),
  })
  return names
}

async function longChain(
  client: Client,
  list: { did: string; statusListName: string },
): Promise<[string, string]> {
  const ids: string[] = []
  for (let n = 0; n < VERSIONS; n += 1) {
    const indices = randomIndices(2000)
    const { resourceMetadata } = await update(client, list, { indices, action: 'revoke' })
    ids.push(resourceMetadata.resourceId)
  }
  return [ids[0] ?? '', ids.at(-1) ?? '']
}

/** The first is nearly as long as a request may be. */
async function issued(client: Client, did: string, names: readonly string[]): Promise<string[]> {
  const issue = async (json: object) => {
    const credential = (await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, ...json },
    })) as { proof: { jwt: string } }
    return credential.proof.jwt
  }
  const credentials = [await issue({ attributes: { text: 'a'.repeat(LONG_BYTES / 2) } })]
  const credentialStatus = names.map((statusListName) => ({
    did,
    statusListName,
    listType: BITSTRING.listType,
    statusPurpose: 'revocation',
  }))
  await atOnce(4, Array.from({ length: CREDENTIALS }), async () => {
    credentials.push(await issue({ attributes: { a: 1 }, credentialStatus }))
  })
  return credentials
}

async function manyVersions(client: Client, did: string): Promise<DearWorld['resource']> {
  const name = { did, resourceName: 'blob', resourceType: 'Blob' }
  const data = () => randomBytes(LONG_BYTES).toString('base64url')
  const ids: string[] = []
  for (let n = 0; n < VERSIONS_OF_RESOURCE; n += 1) {
    const { resourceId } = (await client.ok('POST', '/agent/linkedResourceCreate', {
      json: { ...name, data: data() },
    })) as { resourceId: string }
    ids.push(resourceId)
  }
  return { ...name, oldest: ids[0] ?? '', data: data() }
}
