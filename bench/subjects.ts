import { gzipSync } from 'node:zlib'
import { createDid, createList } from '../test/behaviour/suite.js'
import type { Client } from '../test/support/client.js'
import type { ListName } from '../test/support/list-history.js'

export type { ListName }

/** What requests are about. */
export interface Subjects {
  did: string
  /** nothing set */
  list: ListName
  /** every third entry set at random; `unset`: those that are not */
  filled: ListName & { unset: readonly number[] }
  /** the same, and nobody updates it */
  published: ListName
  eight: readonly ListName[]
  many: readonly ListName[]
  /** ten million entries, one of a hundred set at random */
  long: ListName & { unset: readonly number[] }
  /** JWTs */
  credential: string
  /** with an entry of a status list */
  revocable: string
  presentation: string
}

export const LENGTH = 131_072
export const LONG = 10_000_000
const MANY = 64

/** Publishes and issues everything that requests are about, in the client's account. */
export async function createSubjects(client: Client): Promise<Subjects> {
  const did = await createDid(client)
  const lists = (amount: number) =>
    Promise.all(Array.from({ length: amount }, async () => createList(client, { did })))
  const list = await createList(client, { did })
  const issue = async (json: object) => {
    const { proof } = (await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' }, ...json },
    })) as { proof: { jwt: string } }
    return proof.jwt
  }
  const credentialStatus = { statusListName: list.statusListName, statusPurpose: 'revocation' }
  const credential = await issue({})
  const { proof } = (await client.ok('POST', '/presentation/create', {
    json: { credentials: [credential], holderDid: did },
  })) as { proof: { jwt: string } }
  return {
    did,
    list,
    filled: await randomList(client, { did, length: LENGTH, oneOf: 3 }),
    published: await randomList(client, { did, length: LENGTH, oneOf: 3 }),
    eight: await lists(8),
    many: await lists(MANY),
    long: await randomList(client, { did, length: LONG, oneOf: 100 }),
    credential,
    revocable: await issue({ credentialStatus }),
    presentation: proof.jwt,
  }
}

/** Another number for each n, all over the entries. */
export const spread = (n: number, length = LENGTH): number => (n * 7919) % length

async function randomList(
  client: Client,
  { did, length, oneOf }: { did: string; length: number; oneOf: number },
): Promise<ListName & { unset: readonly number[] }> {
  const bits = new Uint8Array(Math.ceil(length / 8))
  const unset: number[] = []
  for (let n = 0; n < length; n++) {
    if (Math.random() * oneOf < 1) bits[n >> 3] = (bits[n >> 3] ?? 0) | (0x80 >> (n & 7))
    // enough to take a new one for each request
    else if (unset.length < 2 * LENGTH) unset.push(n)
  }
  const encodedList = `u${gzipSync(bits).toString('base64url')}`
  return { ...(await createList(client, { did, body: { length, encodedList } })), unset }
}
