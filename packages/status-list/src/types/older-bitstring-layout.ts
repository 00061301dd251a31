import type { StatusListLayout } from '@vidimus/core-types'
import { z } from 'zod'
import { decodeBase64Url, encodeBase64Url } from '../encoding/encoded-list.js'
import { compress, decompress } from '../encoding/gzip.js'
import { encryptedElsewhere } from '../encryption/list-cipher.js'
import { parseJsonAs } from './malformed-list.js'
import { StatusMessageSchema } from './status-messages.js'

/** The default of cheqd's tools; that of the W3C specification would be 1. */
const STATUS_SIZE = 2

const Document = z.looseObject({
  bitstringStatusListCredential: z.looseObject({
    issuanceDate: z.string().optional(),
    expirationDate: z.string().optional(),
    credentialSubject: z.looseObject({
      statusPurpose: z.union([z.string(), z.array(z.string()).min(1)]),
      encodedList: z.string(),
    }),
  }),
  metadata: z.looseObject({
    encrypted: z.boolean().optional(),
    length: z.int().positive().optional(),
    statusSize: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(8)]).optional(),
    statusMessages: z.array(StatusMessageSchema).optional(),
    bitOrder: z.enum(['msb', 'lsb-in-entry']).optional(),
  }),
})
/** The resource as cheqd's tools publish it, unknown members included. */
export type OlderBitstringDocument = z.infer<typeof Document>

/** @throws AgentError `malformed_list` */
export const parseOlderBitstring = (json: Uint8Array): OlderBitstringDocument =>
  parseJsonAs(Document, json, 'it')

/**
 * Entries count from the left, the bits inside an entry from the right, unless `metadata.bitOrder` says otherwise.
 */
export function describeOlderBitstring(doc: OlderBitstringDocument): StatusListLayout {
  const { credentialSubject, issuanceDate, expirationDate } = doc.bitstringStatusListCredential
  const { statusSize, bitOrder, statusMessages, length, encrypted } = doc.metadata
  return {
    statusSize: statusSize ?? STATUS_SIZE,
    ...(statusSize === undefined && { statesSize: false as const }),
    order: bitOrder ?? 'lsb-in-entry',
    purposes: [credentialSubject.statusPurpose].flat(),
    encrypted: encrypted ?? false,
    ...(length !== undefined && { length }),
    ...(statusMessages && { statusMessages }),
    ...(issuanceDate !== undefined && { validFrom: issuanceDate }),
    ...(expirationDate !== undefined && { validUntil: expirationDate }),
  }
}

/** @throws AgentError `list_encrypted`: lists of this layout were encrypted by other tools, if at all */
export async function unpackOlderBitstring(
  { bitstringStatusListCredential: { credentialSubject }, metadata }: OlderBitstringDocument,
  maxBytes: number,
): Promise<Uint8Array> {
  if (metadata.encrypted) throw encryptedElsewhere()
  return decompress(decodeBase64Url(credentialSubject.encodedList), maxBytes)
}

/** Replaces the bits and nothing else: the proof was made without them. */
export async function packOlderBitstring(
  doc: OlderBitstringDocument,
  bits: Uint8Array,
): Promise<OlderBitstringDocument> {
  const credential = doc.bitstringStatusListCredential
  const encodedList = encodeBase64Url(await compress(bits))
  return {
    ...doc,
    bitstringStatusListCredential: {
      ...credential,
      credentialSubject: { ...credential.credentialSubject, encodedList },
    },
  }
}
