import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { AgentError, type StatusListType } from '@vidimus/core-types'
import {
  BitstringStatusList,
  type BitstringDocument,
  StatusList2021,
  type StatusList2021Document,
  TokenStatusList,
  type TokenStatusListDocument,
} from '@vidimus/status-list'
import { tokenVectors } from '../../../status-list/src/__tests__/vectors.js'
import { statusListTypeChecks, type StatusListVector } from '../index.js'

type Token = StatusListType<TokenStatusListDocument>

const token = (changes: Partial<Token>): StatusListType => ({ ...TokenStatusList, ...changes })
const plain = (changes: Partial<StatusListType<StatusList2021Document>>): StatusListType => ({
  ...StatusList2021,
  ...changes,
})
const bitstring = (changes: Partial<StatusListType<BitstringDocument>>): StatusListType => ({
  ...BitstringStatusList,
  ...changes,
})

const without = (member: keyof Token): StatusListType => {
  const type = { ...TokenStatusList }
  Reflect.deleteProperty(type, member)
  return type
}

const [small] = tokenVectors.small.slice(1)
const tokenVector: StatusListVector = {
  name: 'two bits of the specification',
  encodedList: small?.lst ?? '',
  statusSize: 2,
  entries: small?.values.map((value, index) => [index, value] as const) ?? [],
}

const lenient = (text: string) => Buffer.from(text, 'base64url')
const malformed = (cause?: unknown) => new AgentError('malformed_list', 'unreadable', { cause })
const inflated = (text: string, maxOutputLength?: number): Uint8Array => {
  try {
    return gunzipSync(lenient(text), { ...(maxOutputLength && { maxOutputLength }) })
  } catch (cause) {
    throw malformed(cause)
  }
}
const withList = (doc: StatusList2021Document, bits: Uint8Array): StatusList2021Document => ({
  ...doc,
  StatusList2021: { ...doc.StatusList2021, encodedList: gzipSync(bits).toString('base64url') },
})

/** What is wrong, the type, the check that must detect it, and its message. */
const BROKEN: [title: string, type: StatusListType, check: RegExp, finding: RegExp][] = [
  ['has no readEntry', without('readEntry'), /every member/, /lacks readEntry/],
  [
    'signs what it never verifies',
    without('securingOf'),
    /every member/,
    /secure and securingOf belong together/,
  ],
  ['has an invalid media type', token({ mediaType: 'jwt' }), /every member/, /"jwt" is none/],
  ['has another location', token({ entryMember: 'proof' as 'status' }), /every member/, /entryMember/],
  ['names no purpose', token({ purposes: [] }), /names its purposes/, /purposes must hold at least one/],
  [
    'names a width twice',
    token({ statusSizes: [1, 2, 2] }),
    /names its purposes/,
    /statusSizes has something twice/,
  ],
  ['names 16 bits', token({ statusSizes: [1, 16] }), /names its purposes/, /1 to 8/],
  ['has fractional lengths in bytes', token({ minLength: 100_001 }), /names its purposes/, /minLength/],
  [
    'has a default that it does not allow',
    token({ defaultStatusSize: () => 3 }),
    /names its purposes/,
    /defaultStatusSize/,
  ],
  [
    'names a width that it refuses',
    token({ statusSizes: [1, 2, 3] }),
    /every width/,
    /refuses every list with the statusSize 3/,
  ],
  [
    'names a purpose that it refuses',
    token({ statusSizes: [1], defaultStatusSize: () => 1 }),
    /every width/,
    /refuses every list with the purpose suspension/,
  ],
  [
    'creates a list with another subject',
    plain({ purposes: ['revocation', 'fun'] }),
    /a new list is as requested/,
    /describe does not return the requested purposes/,
  ],
  [
    'finds lists where there are none',
    token({ resourceTypesOfAction: (action) => (action === 'revoke' ? ['TokenStatusList'] : ['Nowhere']) }),
    /resource types/,
    /resourceTypesOfAction\('suspend'\)/,
  ],
  [
    'ignores the given bits',
    plain({
      create: (parameters, location, now) =>
        StatusList2021.create({ ...parameters, bits: new Uint8Array(parameters.length / 8) }, location, now),
    }),
    /starts with the given bits/,
    /bits given to create are not those/,
  ],
  [
    'ignores the ttl',
    token({
      create: ({ ttl: _ttl, ...parameters }, location, now) =>
        TokenStatusList.create(parameters, location, now),
    }),
    /never ignored/,
    /ttl of 600000 milliseconds/,
  ],
  [
    'confuses seconds and milliseconds',
    token({
      describe: (doc) => ({ ...TokenStatusList.describe(doc), ttlMs: doc.claims.ttl ?? 0 }),
    }),
    /never ignored/,
    /ttlMs, but 600$/,
  ],
  [
    'ignores the end of the validity',
    plain({
      create: ({ validUntil: _end, ...parameters }, location, now) =>
        StatusList2021.create(parameters, location, now),
    }),
    /never ignored/,
    /validUntil/,
  ],
  [
    'creates a list that is too long',
    plain({ describe: (doc) => ({ ...StatusList2021.describe(doc), length: 131_064 }) }),
    /a new list is as requested/,
    /fewer than the minimum/,
  ],
  [
    'becomes another list when published',
    token({
      describe: (doc) => ({ ...TokenStatusList.describe(doc), ...(doc.jwt === undefined && { ttlMs: 1 }) }),
    }),
    /a new list is as requested/,
    /reads otherwise once it was published/,
  ],
  [
    'publishes without a signature',
    token({ serialise: (doc) => Buffer.from(JSON.stringify(doc.claims)) }),
    /a new list is as requested/,
    /the type threw AgentError .*neither JSON nor a JWT.*must succeed/,
  ],
  [
    'does not say how it is secured',
    token({ securingOf: () => undefined }),
    /covers the bits/,
    /the engine would trust it unverified/,
  ],
  [
    'signs everything but the bits',
    {
      ...StatusList2021,
      parse: (content: Uint8Array) => {
        const { list, jwt } = JSON.parse(Buffer.from(content).toString()) as { list: object; jwt: string }
        return { ...StatusList2021.parse(Buffer.from(JSON.stringify(list))), jwt }
      },
      serialise: ({ jwt: _jwt, ...list }: { jwt?: string }, jwt?: string) =>
        Buffer.from(JSON.stringify({ list, jwt })),
      secure: () => ({ typ: 'jwt', payload: { list: 'mine' } }),
      securingOf: ({ jwt }: { jwt?: string }) => (jwt === undefined ? undefined : { jwt }),
    },
    /covers the bits/,
    /secure signs the same whatever the bits are/,
  ],
  [
    'names the publisher, whoever signed',
    token({ securingOf: (doc) => ({ jwt: doc.jwt ?? '', issuer: 'did:example:somebody' }) }),
    /covers the bits/,
    /a different issuer/,
  ],
  [
    'loses unknown members',
    plain({
      pack: (doc, bits) => {
        const { statusPurpose, validFrom } = doc.StatusList2021
        const encodedList = gzipSync(bits).toString('base64url')
        return {
          ...doc,
          StatusList2021: { statusPurpose, encodedList, ...(validFrom !== undefined && { validFrom }) },
        }
      },
    }),
    /unknown members/,
    /loses the unknown member StatusList2021\.x-unknown/,
  ],
  [
    'returns what JSON cannot represent',
    token({ toResource: ({ claims }) => ({ claims, bits: Uint8Array.of(1) }) }),
    /toResource/,
    /JSON cannot hold/,
  ],
  [
    'counts bits from the wrong end',
    token({ describe: (doc) => ({ ...TokenStatusList.describe(doc), order: 'msb' }) }),
    /published examples/,
    /reads as another value in the order "msb"/,
  ],
  [
    'drops trailing zero bytes',
    plain({
      pack: (doc, bits) => withList(doc, bits.subarray(0, bits.findLastIndex((byte) => byte !== 0) + 1)),
    }),
    /packed bits/,
    /bytes instead of 16384/,
  ],
  [
    'compresses the memory around the bits',
    plain({ pack: (doc, bits) => withList(doc, new Uint8Array(bits.buffer).subarray(0, bits.length)) }),
    /packed bits/,
    /a view into other memory come back changed/,
  ],
  [
    'decodes another encoding than it publishes',
    bitstring({ decode: (text, encoding, max) => BitstringStatusList.decode(text.slice(1), encoding, max) }),
    /decode reads/,
    /the type threw AgentError .*multibase prefix u/,
  ],
  [
    'modifies the document',
    token({
      pack: async (doc, bits) => {
        const packed = await TokenStatusList.pack(doc, bits)
        doc.claims.status_list.lst = packed.claims.status_list.lst
        return packed
      },
    }),
    /never modified/,
    /: pack changes what it is given/,
  ],
  [
    'modifies the bits',
    plain({
      pack: async (doc, bits) => {
        const packed = await StatusList2021.pack(doc, bits)
        bits[0] = 0
        return packed
      },
    }),
    /never modified/,
    /: pack changes what it is given/,
  ],
  [
    'keeps a reference to the bits',
    {
      ...StatusList2021,
      pack: (doc: object, bits: Uint8Array) => ({ ...doc, bits }),
      unpack: (doc: StatusList2021Document & { bits?: Uint8Array }, max: number) =>
        doc.bits ?? StatusList2021.unpack(doc, max),
    },
    /never modified/,
    /pack holds on to the bits/,
  ],
  [
    'reads the clock',
    plain({ create: (parameters, location) => StatusList2021.create(parameters, location, new Date()) }),
    /whatever the clock says/,
    /types have no clock but "now"/,
  ],
  [
    'is not deterministic',
    token({
      pack: async (doc, bits) => {
        const { claims } = await TokenStatusList.pack(doc, bits)
        return { claims: { ...claims, jti: randomUUID() } }
      },
    }),
    /whatever the clock says/,
    /the updated list differs/,
  ],
  [
    'truncates values',
    token({
      nextValue: (layout, action, current) =>
        /^\d+$/.test(action) && current !== 1
          ? Number(action) & (2 ** layout.statusSize - 1)
          : TokenStatusList.nextValue(layout, action, current),
    }),
    /every action/,
    /never truncated/,
  ],
  [
    'accepts values that do not fit',
    token({
      nextValue: (layout, action, current) =>
        action === 'suspend' && current !== 1 ? 2 : TokenStatusList.nextValue(layout, action, current),
    }),
    /every action/,
    /refuse it with value_too_wide/,
  ],
  [
    'toggles',
    plain({ nextValue: (_layout, _action, current) => 1 - current }),
    /every action/,
    /repeating a call must be safe/,
  ],
  [
    'throws undocumented errors',
    token({
      nextValue: () => {
        throw new RangeError('no')
      },
    }),
    /every action/,
    /threw RangeError "no", but callers understand an AgentError alone/,
  ],
  [
    'accepts any word as an action',
    token({
      nextValue: (layout, action, current) =>
        TokenStatusList.nextValue(
          layout,
          /^(revoke|suspend|reinstate|\w+)$/.test(action) ? action : 'revoke',
          current,
        ),
    }),
    /an unknown action/,
    /must be refused with unknown_action, but is understood/,
  ],
  [
    'does not list the possible actions',
    token({
      nextValue: (layout, action, current) => {
        if (['revoke', 'suspend', 'reinstate'].includes(action)) {
          return TokenStatusList.nextValue(layout, action, current)
        }
        throw new AgentError('unknown_action', 'no')
      },
    }),
    /an unknown action/,
    /does not name the possible action revoke/,
  ],
  [
    'forgets revocations',
    token({
      nextValue: (layout, action, current) =>
        action === 'reinstate' ? 0 : TokenStatusList.nextValue(layout, action, current),
    }),
    /revocation is final/,
    /what is revoked stays revoked/,
  ],
  [
    'lets a custom state undo a revocation',
    token({
      nextValue: (layout, action, current) =>
        action === '3' && layout.statusSize > 1 ? 3 : TokenStatusList.nextValue(layout, action, current),
    }),
    /revocation is final/,
    /"3" leads from revoked \(1\) to 3/,
  ],
  [
    'cannot lift a suspension',
    token({
      nextValue: (layout, action, current) =>
        action === 'reinstate' && current === 2 ? 2 : TokenStatusList.nextValue(layout, action, current),
    }),
    /suspension can/,
    /does not lead from suspended \(2\) to 0/,
  ],
  [
    'suspends by revoking',
    token({
      nextValue: (layout, action, current) =>
        TokenStatusList.nextValue(layout, action === 'suspend' ? 'revoke' : action, current),
    }),
    /suspension can/,
    /does not lead from suspended \(1\) to 0/,
  ],
  [
    'treats suspended as valid',
    token({
      report: (layout, value, purpose) => ({
        ...TokenStatusList.report(layout, value, purpose),
        valid: value !== 1,
      }),
    }),
    /0 is valid/,
    /report of 2 .* has another valid/,
  ],
  [
    'does not report a revocation',
    token({ report: (_layout, value) => ({ status: value, valid: value === 0 }) }),
    /reflect what actions set/,
    /does not report revoked/,
  ],
  [
    'confuses revoked and suspended',
    token({
      report: (layout, value, purpose) => ({
        ...TokenStatusList.report(layout, value, purpose),
        ...(purpose === 'revocation' && { revoked: value !== 0 }),
      }),
    }),
    /reflect what actions set/,
    /reads as revoked/,
  ],
  [
    'reports nothing without a purpose',
    token({
      report: (layout, value, purpose) =>
        purpose === undefined
          ? { status: value, valid: value === 0 }
          : TokenStatusList.report(layout, value, purpose),
    }),
    /without a purpose/,
    /does not say revoked/,
  ],
  [
    'creates entries for another index',
    token({
      entry: (layout, location, index, purpose) =>
        TokenStatusList.entry(layout, location, index + 1, purpose),
    }),
    /created entry/,
    /reads as another index/,
  ],
  [
    'creates entries for another list',
    token({
      entry: (layout, location, index, purpose) =>
        TokenStatusList.entry(layout, { ...location, url: `${location.url}2` }, index, purpose),
    }),
    /created entry/,
    /names another list/,
  ],
  ['cannot read its own entries', token({ entryType: 'status_lists' }), /recognised/, /status_lists/],
  [
    'accepts anything that starts like a number',
    plain({
      readEntry: (entry) => ({
        ...StatusList2021.readEntry({ ...entry, statusListIndex: '4711' }),
        index: Number.parseInt(String(entry.statusListIndex), 10) || 0,
      }),
    }),
    /read strictly/,
    /index "12abc"/,
  ],
  [
    'crashes on malformed entries',
    token({
      readEntry: (entry) => ({ listUrl: (entry.status_list as { uri: string }).uri.trim(), index: 0 }),
    }),
    /malformed entries/,
    /threw TypeError/,
  ],
  [
    'crashes on malformed lists',
    plain({ parse: (content) => JSON.parse(Buffer.from(content).toString()) as StatusList2021Document }),
    /malformed lists/,
    /threw SyntaxError/,
  ],
  [
    'crashes on lists with missing members',
    plain({
      parse: (content) => {
        try {
          return JSON.parse(Buffer.from(content).toString()) as StatusList2021Document
        } catch (cause) {
          throw malformed(cause)
        }
      },
    }),
    /wrong value anywhere/,
    /threw TypeError/,
  ],
  [
    'skips unknown characters',
    plain({ unpack: ({ StatusList2021: list }, max) => inflated(list.encodedList, max) }),
    /damaged/,
    /has a character that is in no alphabet: must be refused/,
  ],
  [
    'inflates without a limit',
    plain({ unpack: ({ StatusList2021: list }) => inflated(list.encodedList) }),
    /size limit/,
    /maxBytes is 16383: must be refused/,
  ],
  [
    'inflates before checking the limit',
    plain({
      unpack: ({ StatusList2021: list }, max) => {
        const bits = inflated(list.encodedList)
        if (bits.length > max) throw malformed()
        return bits
      },
    }),
    /bomb/,
    /unpack took \d+ MiB.*inflates first and counts then/,
  ],
  [
    'inflates caller input without a limit',
    plain({
      decode: (text, _encoding, max) => {
        const bits = inflated(text)
        if (bits.length > max) throw malformed()
        return bits
      },
    }),
    /bomb/,
    /decode took \d+ MiB/,
  ],
  [
    'repairs bits while reading',
    token({
      unpack: async (doc, max) => {
        const bits = new Uint8Array(await TokenStatusList.unpack(doc, max))
        bits[0] = (bits[0] ?? 0) & 0x7f
        return bits
      },
    }),
    /packed bits/,
    /bits that are all 1 come back changed/,
  ],
]

const failuresOf = async (type: StatusListType, title: RegExp): Promise<string[]> => {
  const checks = statusListTypeChecks(type, { vectors: type.type === 'TokenStatusList' ? [tokenVector] : [] })
  const failures: string[] = []
  for (const check of checks.filter((candidate) => title.test(candidate.title))) {
    try {
      await check.run()
    } catch (error) {
      failures.push(error instanceof Error ? `${error.name} ${error.message}` : String(error))
    }
  }
  return failures
}

describe('conformance kit: finds a type that', () => {
  for (const [title, type, check, finding] of BROKEN) {
    it(title, async () => {
      const [failure, ...others] = await failuresOf(type, check)
      assert.ok(failure !== undefined, `no check like ${check} failed`)
      assert.ok(
        [failure, ...others].some((text) => finding.test(text)),
        `expected ${finding} in: ${failure}`,
      )
    })
  }
})
