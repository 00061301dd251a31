import { SignJWT } from 'jose'
import type { Client } from './client.js'
import { outsideKey } from './outside-key.js'

/**
 * A DID of the client's account whose key somebody else has as well, so that tests can sign what the service itself
 * would not.
 */
export async function createSharedDid(client: Client): Promise<{
  did: string
  /** a credential with these claims beside or instead of the usual ones */
  sign: (vc: Record<string, unknown>, claims?: Record<string, unknown>) => Promise<string>
}> {
  const { privateKey, privateKeyHex, publicKeyHex } = outsideKey()
  await client.ok('POST', '/key/import', { json: { type: 'Ed25519', privateKeyHex } })
  const { did } = (await client.ok('POST', '/did/create', {
    json: { network: 'testnet', options: { key: publicKeyHex } },
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
