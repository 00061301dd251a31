import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Client } from './client.js'

/**
 * A DID of the client's account whose key somebody else has as well, so that tests can sign what the service itself
 * would not.
 */
export async function createSharedDid(client: Client): Promise<{
  did: string
  /** a credential with these claims beside or instead of the usual ones */
  sign: (vc: Record<string, unknown>, claims?: Record<string, unknown>) => Promise<string>
}> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const hex = (text: string) => Buffer.from(text, 'base64url').toString('hex')
  await client.ok('POST', '/key/import', { json: { type: 'Ed25519', privateKeyHex: hex(d) } })
  const { did } = (await client.ok('POST', '/did/create', {
    json: { network: 'testnet', options: { key: hex(x) } },
  })) as { did: string }
  const sign = (vc: Record<string, unknown>, claims: Record<string, unknown> = {}) =>
    new SignJWT({
      vc: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential'],
        credentialSubject: { name: 'Bob' },
        ...vc,
      },
      iss: did,
      nbf: 1_500_000_000,
      ...claims,
    })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: `${did}#key-1` })
      .sign(privateKey)
  return { did, sign }
}
