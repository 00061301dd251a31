import { isJsonObject } from '@vidimus/core-types'
import { z } from 'zod'
import { malformedList, parseJsonAs } from './malformed-list.js'

/** The media types of others for the credential of a list, the preferred first. */
export const CREDENTIAL_MEDIA_TYPES = [
  'application/vc+jwt',
  'application/vc',
  'application/jwt',
  'application/vc+ld+json',
  'application/ld+json',
  'application/json',
  'text/plain',
]

/**
 * The credential in the served content: an object, or the text of a JWT or SD-JWT. @throws AgentError
 * `malformed_list`
 */
export function foreignCredential(content: Uint8Array): { credential: string | Record<string, unknown> } {
  const text = decodeUtf8(content)
  const credential = text.startsWith('{') ? parseJsonAs(z.looseObject({}), content, 'it') : text
  return { credential }
}

/** @throws AgentError `malformed_list` */
export function decodeUtf8(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content).trim()
  } catch (cause) {
    throw malformedList('it is not UTF-8 text', { cause })
  }
}

/** The members that have different names in the versions of the data model. */
export function membersOfCredential(credential: Record<string, unknown>) {
  const { issuanceDate, expirationDate, validFrom = issuanceDate, validUntil = expirationDate } = credential
  const { credentialSubject } = credential
  const types = [credential.type].flat()
  const subject: Record<string, unknown> = isJsonObject(credentialSubject) ? credentialSubject : {}
  return { types, subject, times: { ...timeAs({ validFrom }), ...timeAs({ validUntil }) } }
}

const timeAs = (member: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(member).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
