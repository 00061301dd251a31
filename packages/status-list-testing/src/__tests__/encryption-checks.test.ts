import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  AgentError,
  type PaymentCondition,
  type StatusListCipher,
  type StatusListType,
} from '@vidimus/core-types'
import { StatusList2021, type StatusList2021Document } from '@vidimus/status-list'
import { statusListTypeChecks } from '../index.js'

type Doc = StatusList2021Document
type Sealed = StatusListType<Doc>

const withList = (doc: Doc, encodedList: string): Doc => ({
  ...doc,
  StatusList2021: { ...doc.StatusList2021, encodedList },
})
const withConditions = (doc: Doc, conditions: readonly PaymentCondition[]): Doc => ({
  ...doc,
  metadata: { ...doc.metadata, encrypted: true, conditions },
})
const sealedBits = (bits: Uint8Array, cipher: StatusListCipher) =>
  Buffer.from(cipher.encrypt(gzipSync(bits))).toString('base64url')

/** A type with encrypted lists, as simple as can be. */
const sealed: Sealed = {
  ...StatusList2021,
  encryptable: true,
  async create({ encryption, ...parameters }, location, now) {
    const doc = await StatusList2021.create(parameters, location, now)
    if (!encryption) return doc
    const bits = parameters.bits ?? new Uint8Array(parameters.length / 8)
    return withConditions(withList(doc, sealedBits(bits, encryption.cipher)), encryption.paymentConditions)
  },
  describe: (doc) => ({
    ...StatusList2021.describe(doc),
    ...(doc.metadata.encrypted && { paymentConditions: doc.metadata.conditions as PaymentCondition[] }),
  }),
  async unpack(doc, maxBytes, cipher) {
    if (!doc.metadata.encrypted) return StatusList2021.unpack(doc, maxBytes)
    if (!cipher) throw new AgentError('list_encrypted', 'the list is encrypted')
    const compressed = cipher.decrypt(Buffer.from(doc.StatusList2021.encodedList, 'base64url'))
    return gunzipSync(compressed, { maxOutputLength: maxBytes })
  },
  pack: (doc, bits, cipher) =>
    cipher ? withList(doc, sealedBits(bits, cipher)) : StatusList2021.pack(doc, bits),
  withPaymentConditions: withConditions,
}

const failureOf = async (type: StatusListType): Promise<string | undefined> => {
  const checks = statusListTypeChecks(type).filter(({ group }) => group === 'encryption')
  assert.equal(checks.length, 3)
  for (const { run } of checks) {
    try {
      await run()
    } catch (error) {
      return (error as Error).message
    }
  }
  return undefined
}

describe('conformance kit for types with encrypted lists', () => {
  it('accepts a correct type', async () => {
    assert.equal(await failureOf(sealed), undefined)
  })

  const broken: [title: string, changes: Partial<Sealed>, finding: RegExp][] = [
    [
      'hides that a list is encrypted',
      { describe: (doc) => ({ ...sealed.describe(doc), encrypted: false }) },
      /does not say that an encrypted list is encrypted/,
    ],
    [
      'forgets the conditions',
      { describe: (doc) => StatusList2021.describe(doc) },
      /does not return the payment conditions/,
    ],
    [
      'does not encrypt at all',
      {
        create: async ({ encryption, ...parameters }, location, now) => {
          const doc = await StatusList2021.create(parameters, location, now)
          return encryption ? withConditions(doc, encryption.paymentConditions) : doc
        },
        unpack: (doc, maxBytes) => StatusList2021.unpack(doc, maxBytes),
      },
      /AgentError list_encrypted .*, where it must succeed/,
    ],
    [
      'decrypts with any key',
      {
        unpack: (doc, maxBytes, cipher) =>
          cipher ? sealed.unpack(doc, maxBytes, cipher) : new Uint8Array(16_384),
      },
      /without a cipher: must be refused/,
    ],
    [
      'publishes an update in plain text',
      { pack: (doc, bits) => StatusList2021.pack(doc, bits) },
      /AgentError list_encrypted .*, where it must succeed/,
    ],
    [
      'writes new conditions into the old document',
      {
        withPaymentConditions: (doc, conditions) => {
          doc.metadata.conditions = conditions
          return doc
        },
      },
      /withPaymentConditions changes the document that it is given/,
    ],
    [
      'keeps the old conditions',
      { withPaymentConditions: (doc) => doc },
      /does not change the conditions, or more than them/,
    ],
  ]
  for (const [title, changes, finding] of broken) {
    it(`finds one that ${title}`, async () => {
      assert.match((await failureOf({ ...sealed, ...changes })) ?? 'nothing was found', finding)
    })
  }
})
