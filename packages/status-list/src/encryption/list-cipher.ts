import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import {
  AgentError,
  type StatusListCipher,
  type StatusListKeys,
  type StatusListLocation,
} from '@vidimus/core-types'
import { hiddenEntries, type EntryCoder } from '../pace/waiting-entries.js'
import { malformedList } from '../types/malformed-list.js'

/** How lists name their encryption, after the `enc` of RFC 7518. */
export const ENCRYPTION = 'A256GCM'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Plaintexts are padded to a multiple: the length of a compressed list reveals how much of it is set. */
const STEP_BYTES = 1024
const END_OF_PLAINTEXT = 0x80

/**
 * AES-256-GCM for one list. The output is a random IV of 12 bytes, the ciphertext, and a tag of 16 bytes. The
 * plaintext ends with `80`, followed by zeros up to the next multiple of 1024 bytes (ISO/IEC 7816-4). The location of
 * the list is authenticated with it, so that the bits of one list never pass for those of another.
 *
 * @param key - 32 bytes; of this list alone
 */
export function listCipher(key: Uint8Array, location: StatusListLocation): StatusListCipher {
  const { did, statusListName, resourceType } = location
  const bound = Buffer.from(JSON.stringify(['vidimus status list', did, statusListName, resourceType]))
  return {
    encrypt(plaintext) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(bound)
      const ciphertext = [cipher.update(filledUp(plaintext)), cipher.final()]
      return Buffer.concat([iv, ...ciphertext, cipher.getAuthTag()])
    },
    decrypt(sealed) {
      if (sealed.length < IV_BYTES + TAG_BYTES) throw malformedList('its encrypted bits are truncated')
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(bound).setAuthTag(sealed.subarray(-TAG_BYTES))
      try {
        const plaintext = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES))
        return withoutFilling(Buffer.concat([plaintext, decipher.final()]))
      } catch (cause) {
        const reason = 'its bits were modified, or encrypted for another list or with another key'
        throw malformedList(reason, { cause })
      }
    },
  }
}

function filledUp(plaintext: Uint8Array): Uint8Array {
  const filled = new Uint8Array(Math.ceil((plaintext.length + 1) / STEP_BYTES) * STEP_BYTES)
  filled.set(plaintext)
  filled[plaintext.length] = END_OF_PLAINTEXT
  return filled
}

function withoutFilling(filled: Uint8Array): Uint8Array {
  const end = filled.lastIndexOf(END_OF_PLAINTEXT)
  if (end < 0) throw new RangeError('the plaintext has no end')
  return filled.subarray(0, end)
}

/** The ciphers of the lists whose keys are held here. */
export class ListCiphers {
  /** @param keys - absent: no list is encrypted or decrypted */
  constructor(private readonly keys?: StatusListKeys) {}

  /** @returns `undefined` if the key of the list is not held here */
  async find(location: StatusListLocation): Promise<StatusListCipher | undefined> {
    const key = await this.keys?.find(location)
    return key && listCipher(key, location)
  }

  /** For waiting changes of an encrypted list. @returns `undefined` as for {@link find} */
  async hidden(location: StatusListLocation): Promise<EntryCoder | undefined> {
    const key = await this.keys?.find(location)
    return key && hiddenEntries(key, location)
  }

  /** For a new list. Its key exists durably when this resolves. */
  async findOrCreate(location: StatusListLocation): Promise<StatusListCipher> {
    if (!this.keys) throw new AgentError('list_encrypted', NO_KEYS)
    return listCipher(await this.keys.findOrCreate(location), location)
  }

  /** Why a list cannot be decrypted. */
  lockedBecause(statusListName: string): AgentError {
    const reason = this.keys ? ENCRYPTED_ELSEWHERE : NO_KEYS
    return new AgentError('list_encrypted', `the status list "${statusListName}" is encrypted: ${reason}`)
  }

  get available(): boolean {
    return this.keys !== undefined
  }
}

const ENCRYPTED_ELSEWHERE = 'it was encrypted by another service, whose key is not held here'
const NO_KEYS = 'this installation does not store keys of encrypted lists'

/**
 * The cipher of an encrypted document, if it supports this encryption.
 *
 * @param encryption - as the document names it
 * @throws AgentError `list_encrypted`
 */
export function cipherFor(
  encryption: string | undefined,
  cipher: StatusListCipher | undefined,
): StatusListCipher {
  if (encryption === ENCRYPTION && cipher) return cipher
  throw encryptedElsewhere()
}

export const encryptedElsewhere = (): AgentError =>
  new AgentError('list_encrypted', `the status list is encrypted: ${ENCRYPTED_ELSEWHERE}`)
