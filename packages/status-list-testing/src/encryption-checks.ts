import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AgentError, type PaymentCondition, type StatusListCipher } from '@vidimus/core-types'
import { demand, demandEqual, demandRefused, demandSameBytes } from './findings.js'
import type { ListVariant } from './list-variants.js'
import { ROOMY, type CheckOfType, type Subject } from './subject.js'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const CONDITIONS: readonly PaymentCondition[] = [
  {
    feePaymentAddress: 'cheqd1qpzry9x8gf2tvdw0s3jn54khce6mua7lf80q86',
    feePaymentAmount: '2500000000ncheq',
    feePaymentWindow: 30,
  },
]

const isEncryptable = ({ type }: Subject): boolean => type.encryptable === true

export const encryptionChecks: readonly CheckOfType[] = [
  {
    title: 'an encrypted list can only be decrypted with its cipher',
    run: openedByCipher,
    applies: isEncryptable,
  },
  { title: 'an encrypted list stays encrypted when updated', run: updated, applies: isEncryptable },
  {
    title: 'the payment conditions can be changed without changing anything else',
    run: conditions,
    applies: isEncryptable,
  },
]

async function openedByCipher(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const { title } = variant
    const { doc, bits, cipher } = await createdEncrypted(subject, variant)
    const { encrypted, paymentConditions } = subject.type.describe(doc)
    demand(encrypted, `${title}: describe does not say that an encrypted list is encrypted`)
    demandEqual(paymentConditions, CONDITIONS, `${title}: describe does not return the payment conditions`)
    demandSameBytes(
      await subject.type.unpack(doc, ROOMY, cipher),
      bits,
      `${title}: the bits of an encrypted list come back changed`,
    )
    const other = throwawayCipher('another')
    await demandRefused(`${title}: unpack of an encrypted list with another key`, ['malformed_list'], () =>
      subject.type.unpack(doc, ROOMY, other),
    )
    await demandRefused(
      `${title}: unpack of an encrypted list without a cipher`,
      ['malformed_list', 'list_encrypted'],
      () => subject.unpack(doc),
    )
  }
}

async function updated(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const { title, location } = variant
    const { doc, bits, cipher } = await createdEncrypted(subject, variant)
    const other = bits.toReversed()
    const packed = await subject.type.pack(doc, other, cipher)
    const read = subject.type.parse(subject.publish(packed, location))
    demandEqual(
      subject.type.describe(read),
      subject.type.describe(doc),
      `${title}: an update changes the list`,
    )
    demandSameBytes(
      await subject.type.unpack(read, ROOMY, cipher),
      other,
      `${title}: the bits of an updated encrypted list come back changed`,
    )
  }
}

async function conditions(subject: Subject): Promise<void> {
  const variant = await subject.anyVariant()
  const { doc, bits, cipher } = await createdEncrypted(subject, variant)
  const before = structuredClone(doc)
  const changed = CONDITIONS.map((condition) => ({ ...condition, feePaymentWindow: 45 }))
  const withOthers = subject.type.withPaymentConditions?.(doc, changed)
  demandEqual(doc, before, 'withPaymentConditions changes the document that it is given')
  const read = subject.type.parse(subject.publish(withOthers, variant.location))
  demandEqual(
    subject.type.describe(read),
    { ...subject.type.describe(doc), paymentConditions: changed },
    'withPaymentConditions does not change the conditions, or more than them',
  )
  demandSameBytes(
    await subject.type.unpack(read, ROOMY, cipher),
    bits,
    'withPaymentConditions changes the bits',
  )
}

async function createdEncrypted(subject: Subject, variant: ListVariant) {
  const { parameters, location, title } = variant
  const bits = subject.random(`encrypted ${title}`).bytes((parameters.length * parameters.statusSize) / 8)
  const cipher = throwawayCipher('one')
  const encryption = { cipher, paymentConditions: CONDITIONS }
  const created = await subject.createWith(variant, { ...parameters, bits, encryption })
  return { doc: subject.type.parse(subject.publish(created, location)), bits, cipher }
}

/** As the engine has them, with a key that protects nothing. */
function throwawayCipher(name: string): StatusListCipher {
  const key = createHash('sha256').update(name).digest()
  return {
    encrypt(plaintext) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(sealed) {
      try {
        const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
      } catch (cause) {
        throw new AgentError('malformed_list', 'the bits were encrypted with another key', { cause })
      }
    },
  }
}
