import type { Finding } from '@vidimus/core-types'
import { KEY_TYPES, type TokenKeyType } from './key-types.js'
import { refusal } from './refusals.js'
import type { Token } from './token.js'

// Flags of CK_TOKEN_INFO (PKCS #11 Version 3.1, section 3.3)
const CKF_WRITE_PROTECTED = 0x2
const CKF_USER_PIN_COUNT_LOW = 0x10000
const CKF_USER_PIN_FINAL_TRY = 0x20000

/** The report of `vidimus doctor` about a token. */
export async function examineToken(token: Token): Promise<Finding[]> {
  const name = `pkcs11:${token.label}`
  try {
    const { model, flags } = await token.during('', ({ cryptoki }, slot) =>
      Promise.resolve(cryptoki.C_GetTokenInfo(slot)),
    )
    const types = await readKeyTypes(token)
    const what = `the token "${token.label}" (${model.trimEnd()}) answers`
    if (types.length === 0) {
      const advice = 'use a token that supports elliptic curve keys; did:cheqd requires Ed25519'
      return [
        { name, level: 'fail', message: `${what}, and supports none of the key types used here`, advice },
      ]
    }
    return [
      { name, level: 'ok', message: `${what}, and can create keys of type ${types.join(', ')}` },
      ...warnings(name, flags),
    ]
  } catch (error) {
    const advice = 'check PKCS11_LIBRARY, PKCS11_TOKEN and PKCS11_PIN, and that the token is connected'
    return [{ name, level: 'fail', message: refusal(error).message, advice }]
  }
}

/**
 * The key types that the token can create, as far as its mechanisms show.
 *
 * @throws AgentError `unavailable`
 */
export const readKeyTypes = (token: Token): Promise<TokenKeyType[]> =>
  token.during('', ({ cryptoki }, slot) => {
    const mechanisms = new Set(cryptoki.C_GetMechanismList(slot))
    const possible = KEY_TYPES.filter(
      (one) => mechanisms.has(one.generation) && mechanisms.has(one.signature),
    )
    return Promise.resolve(possible.map(({ type }) => type))
  })

function warnings(name: string, flags: number): Finding[] {
  const level = 'warn'
  return [
    ...((flags & (CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY)) !== 0
      ? [
          {
            name,
            level,
            message: 'a wrong PIN was entered before: few attempts are left before the token locks itself',
            advice: 'find out who entered it',
          } as const,
        ]
      : []),
    ...((flags & CKF_WRITE_PROTECTED) !== 0
      ? [
          {
            name,
            level,
            message: 'the token is write-protected: keys cannot be created or deleted',
            advice: 'remove the protection, or create no keys',
          } as const,
        ]
      : []),
  ]
}
