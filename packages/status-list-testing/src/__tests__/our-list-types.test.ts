import { gzipSync } from 'node:zlib'
import { BitstringStatusList, StatusList2021, TokenStatusList } from '@vidimus/status-list'
import { describeStatusListType, type StatusListVector } from '../index.js'
import { bitstringVectors, tokenVectors } from '../../../status-list/src/__tests__/vectors.js'

const fixtures = Object.entries(bitstringVectors.walt.fixtures)

/** Fixtures of walt.id; each names one entry. */
const waltVectors = (prefix: string): StatusListVector[] =>
  fixtures
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, { list, index, expectedValue }]) => ({
      name,
      encodedList: list,
      statusSize: name.includes('custom') ? 2 : 1,
      entries: [[Number(index), expectedValue]],
    }))

/** Whole lists: every entry is known. */
const examples = (prefix: string): StatusListVector[] =>
  bitstringVectors.bitstring.flatMap(({ src, set, encodedList, gzipBase64url }) =>
    set ? [{ name: src, encodedList: encodedList ?? `${prefix}${gzipBase64url}`, ...onlySet(set) }] : [],
  )

const onlySet = (set: readonly number[]) => ({
  entries: set.map((index) => [index, 1] as const),
  othersAreZero: true,
})

describeStatusListType(StatusList2021, {
  vectors: [
    ...waltVectors('statuslist2021/'),
    ...examples('').map((vector) => ({
      ...vector,
      encodedList: vector.encodedList?.replace(/^u/, '') ?? '',
    })),
  ],
})

const WORDS = ['valid', 'revoked', 'suspended', 'unknown']

/** Four entries in a list as cheqd's tools publish it, which has the bits inside an entry in the other order. */
const older: StatusListVector = {
  name: "cheqd's BitstringStatusList, two bits",
  content: JSON.stringify({
    bitstringStatusListCredential: {
      credentialSubject: {
        statusPurpose: 'message',
        encodedList: gzipSync(Buffer.from([0x9c])).toString('base64url'),
      },
    },
    metadata: {
      encrypted: false,
      statusMessages: WORDS.map((message, value) => ({ status: `0x${value}`, message })),
    },
  }),
  entries: [1, 2, 3, 0].map((value, index) => [index, value]),
  othersAreZero: true,
}

const packed = (hex: string) => `u${gzipSync(Buffer.from(hex, 'hex')).toString('base64url')}`

/** How most implementations lay out two bits. */
const twoBits: StatusListVector = {
  name: 'most significant bit first, 2 bits',
  encodedList: packed('6c'),
  statusSize: 2,
  entries: [1, 2, 3, 0].map((value, index) => [index, value]),
  othersAreZero: true,
}

/** A list whose entries cross bytes, a width that no new list has. */
const threeBits: StatusListVector = {
  name: 'most significant bit first, 3 bits',
  content: jwtOf({
    type: 'BitstringStatusList',
    statusPurpose: 'message',
    statusSize: 3,
    encodedList: packed('29cbb8'),
  }),
  entries: [1, 2, 3, 4, 5, 6, 7, 0].map((value, index) => [index, value]),
  othersAreZero: true,
}

function jwtOf(credentialSubject: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: 'did:cheqd:testnet:somebody',
    credentialSubject,
  }
  return `${encode({ typ: 'vc+jwt', alg: 'EdDSA' })}.${encode(claims)}.c2ln`
}

describeStatusListType(BitstringStatusList, {
  vectors: [...waltVectors('bitstringstatuslist/'), ...examples('u'), twoBits, threeBits, older],
})

describeStatusListType(TokenStatusList, {
  vectors: [
    ...waltVectors('tokenstatuslist/'),
    ...tokenVectors.small.map(({ bits, values, lst }) => ({
      name: `draft-ietf-oauth-status-list, ${bits} bits`,
      encodedList: lst,
      statusSize: bits,
      entries: values.map((value, index) => [index, value] as const),
      othersAreZero: true,
    })),
    ...Object.values(tokenVectors.long).map(({ bits, entries, lst }) => ({
      name: `draft-ietf-oauth-status-list, test vector of ${bits} bits`,
      encodedList: lst,
      statusSize: bits,
      entries,
      othersAreZero: true,
    })),
  ],
})
