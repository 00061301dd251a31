import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import {
  isAgentError,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'

/** A change of one entry that waits for the next version. */
export interface EntryChange {
  index: number
  /** the new value */
  value: number
  action: string
}

/** How waiting changes are stored: in plain text, or so that only the key of an encrypted list opens them. */
export interface EntryCoder {
  placeKey(index: number): string
  encode(change: EntryChange): string
  read(content: string): EntryChange
}

export const PLAIN: EntryCoder = {
  placeKey: String,
  encode: ({ index, value, action }) => JSON.stringify([index, value, action]),
  read: (content) => {
    const [index, value, action] = JSON.parse(content) as [number, number, string]
    return { index, value, action }
  },
}

const IV_BYTES = 12
const TAG_BYTES = 16
/** Contents are padded to a multiple: their length would reveal the action. */
const STEP_BYTES = 64

/** @param key - of the list; 32 bytes */
export function hiddenEntries(key: Uint8Array, { did, statusListName, resourceType }: StatusListLocation) {
  const own = createHmac('sha256', key).update('waiting changes of a status list').digest()
  const bound = Buffer.from(JSON.stringify([did, statusListName, resourceType]))
  const coder: EntryCoder = {
    placeKey: (index) => createHmac('sha256', own).update(`place ${index}`).digest('base64url').slice(0, 22),
    encode(change) {
      const plain = PLAIN.encode(change)
      const length = Math.ceil(Buffer.byteLength(plain) / STEP_BYTES) * STEP_BYTES
      const padded = Buffer.alloc(length, ' ')
      padded.write(plain)
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', own, iv, { authTagLength: TAG_BYTES }).setAAD(bound)
      const sealed = [iv, cipher.update(padded), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(sealed).toString('base64url')
    },
    read(content) {
      const sealed = Buffer.from(content, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', own, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(bound).setAuthTag(sealed.subarray(-TAG_BYTES))
      const plain = [decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]
      return PLAIN.read(Buffer.concat(plain).toString())
    },
  }
  return coder
}

/**
 * The value of an entry once its waiting change is applied. A value that somebody else has published meanwhile stays if
 * the change is no longer possible: revoked stays revoked.
 */
export function valueAfter(
  type: StatusListType,
  layout: StatusListLayout,
  current: number,
  { action, value }: EntryChange,
): number {
  if (current === value) return value
  try {
    type.nextValue(layout, action, current)
    return value
  } catch (error) {
    if (!isAgentError(error)) throw error
    return current
  }
}
