import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

export const ENTRIES = 131_072

/** Values of entries by their index; all others are 0. */
export type Values = Readonly<Record<number, number>>

/** A list as software of the years before published it, and how it reads its own layout. */
export interface OlderList {
  listType: 'StatusList2021' | 'BitstringStatusList'
  resourceType: string
  content: (values: Values) => object
  valueAt: (content: unknown, index: number) => number
}

type Encoding = 'base64url' | 'base64' | 'hex'

interface Older2021 {
  StatusList2021: { encodedList: string }
  metadata: object
}

/** Plain JSON, a list for each purpose. `base64` is what some publishers call base64url. */
export function older2021(purpose: 'revocation' | 'suspension', encoding: Encoding): OlderList {
  const resourceType = `StatusList2021${purpose === 'revocation' ? 'Revocation' : 'Suspension'}`
  const metadata = {
    type: resourceType,
    encrypted: false,
    encoding: encoding === 'hex' ? 'hex' : 'base64url',
    publishedBy: 'another tool',
  }
  const content = (values: Values) => ({
    StatusList2021: {
      statusPurpose: purpose,
      encodedList: gzipSync(packed(values, 1)).toString(encoding),
      validFrom: '2024-02-26T11:53:45.614Z',
      note: 'kept',
    },
    metadata,
  })
  const valueAt = (read: unknown, index: number) => {
    const { encodedList } = (read as Older2021).StatusList2021
    return unpacked(gunzipSync(Buffer.from(encodedList, encoding)), 1, index)
  }
  return { listType: 'StatusList2021', resourceType, content, valueAt }
}

interface OlderBitstring {
  bitstringStatusListCredential: { credentialSubject: { encodedList: string } }
  metadata: object
}

/** A credential whose proof was made without the bits. */
export function olderBitstring(
  statusPurpose: string | string[],
  metadata: Record<string, unknown>,
): OlderList {
  const statusSize = (metadata.statusSize as number | undefined) ?? 2
  const content = (values: Values) => ({
    bitstringStatusListCredential: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: { id: 'did:cheqd:testnet:somebody' },
      issuanceDate: '2025-03-01T09:00:00.000Z',
      credentialSubject: {
        type: 'BitstringStatusList',
        statusPurpose,
        encodedList: gzipSync(packed(values, statusSize)).toString('base64url'),
        ttl: 86_400_000,
      },
      proof: { type: 'JwtProof2020', jwt: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmVkIHdpdGhvdXQgdGhlIGJpdHM' },
    },
    metadata: { encrypted: false, encoding: 'base64url', length: ENTRIES, ...metadata },
  })
  const valueAt = (read: unknown, index: number) => {
    const { encodedList } = (read as OlderBitstring).bitstringStatusListCredential.credentialSubject
    return unpacked(gunzipSync(Buffer.from(encodedList, 'base64url')), statusSize, index)
  }
  return {
    listType: 'BitstringStatusList',
    resourceType: 'BitstringStatusListCredential',
    content,
    valueAt,
  }
}

/** The same list, with its bits encrypted and its key threshold-encrypted. */
export function encrypted(list: OlderList): object {
  const content = list.content({}) as Older2021 & OlderBitstring
  const paymentConditions = [
    {
      feePaymentAddress: 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2',
      feePaymentAmount: '20000000ncheq',
      intervalInSeconds: 600,
      type: 'timelockPayment',
    },
  ]
  const statusListHash = randomBytes(32).toString('hex')
  const metadata = { ...content.metadata, encrypted: true, statusListHash, paymentConditions }
  if (list.listType === 'StatusList2021') {
    const encodedList = `${randomBytes(90).toString('hex')}-${randomBytes(100).toString('hex')}`
    return { StatusList2021: { ...content.StatusList2021, encodedList }, metadata }
  }
  const credential = content.bitstringStatusListCredential
  const encodedList = randomBytes(190).toString('base64url')
  return {
    bitstringStatusListCredential: {
      ...credential,
      credentialSubject: { ...credential.credentialSubject, encodedList },
    },
    metadata: { ...metadata, symmetricLength: 90 },
  }
}

/** Entries from the left; the bits inside an entry the other way round, as cheqd's tools write them. */
function packed(values: Values, size: number): Buffer {
  const bits = Buffer.alloc((ENTRIES * size) / 8)
  for (const [index, value] of Object.entries(values)) {
    for (let bit = 0; bit < size; bit++) {
      const position = Number(index) * size + bit
      if ((value >> bit) & 1) bits[position >> 3]! |= 0x80 >> (position & 7)
    }
  }
  return bits
}

function unpacked(bits: Buffer, size: number, index: number): number {
  let value = 0
  for (let bit = 0; bit < size; bit++) {
    const position = index * size + bit
    if (bits[position >> 3]! & (0x80 >> (position & 7))) value |= 1 << bit
  }
  return value
}
