import { encode } from 'cborg'
import { AgentError, signingAlgorithmOf, type HeldKey } from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { coseAlgorithm, HEADER, signedBytes } from '../encoding/cose-sign1.js'

const SIGNATURE_BYTES = 64

/**
 * Signs the payload of a CWT as a `COSE_Sign1`, with a key with which the account in scope holds the DID.
 *
 * @returns the parts of the CWT besides its payload, in base64url
 * @throws AgentError as `didHeldKey` does
 */
export async function signCwt(
  { methodId, key }: HeldKey,
  typ: string,
  payload: Uint8Array,
  { agent }: WritingContext,
  x5c?: readonly string[],
): Promise<{ protected: string; signature: string }> {
  const algorithm = signingAlgorithmOf(key.type)
  const header = encode(
    new Map<number, unknown>([
      [HEADER.alg, coseAlgorithm(algorithm)],
      [HEADER.kid, new TextEncoder().encode(methodId)],
      [HEADER.type, typ],
      ...(x5c ? [[HEADER.x5chain, x5chainOf(x5c)] as const] : []),
    ]),
  )
  const data = Buffer.from(signedBytes(header, payload)).toString('hex')
  const signature = await agent.keyManagerSign({ keyRef: key.kid, data, encoding: 'hex', algorithm })
  if (Buffer.from(signature, 'base64url').length !== SIGNATURE_BYTES) {
    throw new AgentError('internal_error', `the KMS "${key.kms}" returned a signature of unknown form`)
  }
  return { protected: Buffer.from(header).toString('base64url'), signature }
}

/** A single certificate, or a list of them (RFC 9360 2). */
function x5chainOf(x5c: readonly string[]): Uint8Array | Uint8Array[] {
  const chain = x5c.map((one) => new Uint8Array(Buffer.from(one, 'base64')))
  const [leaf, ...others] = chain
  return leaf && others.length === 0 ? leaf : chain
}
