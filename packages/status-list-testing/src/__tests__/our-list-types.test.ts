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

/** How most implementations lay out two bits, and what follows for widths that cross bytes. */
const multiBit: StatusListVector[] = [
  { statusSize: 2, hex: '6c', values: [1, 2, 3, 0] },
  { statusSize: 3, hex: '29cbb8', values: [1, 2, 3, 4, 5, 6, 7, 0] },
].map(({ statusSize, hex, values }) => ({
  name: `most significant bit first, ${statusSize} bits`,
  encodedList: `u${gzipSync(Buffer.from(hex, 'hex')).toString('base64url')}`,
  statusSize,
  entries: values.map((value, index) => [index, value]),
  othersAreZero: true,
}))

describeStatusListType(BitstringStatusList, {
  vectors: [...waltVectors('bitstringstatuslist/'), ...examples('u'), ...multiBit, older],
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
