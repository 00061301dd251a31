import type { IAgentContext } from '@veramo/core-types'
import { problemsError } from '@vidimus/core-types'
import { certificatesIn, signerOfCertificates } from '@vidimus/verification-methods'
import type { ParsedJwt } from './jwt-form.js'

/**
 * Verifies the signature of a JWT by the certificates in its header.
 *
 * @param issuer - https address that they must name
 * @returns the thumbprint of the signer's certificate
 * @throws AgentError `invalid_credential`
 */
export async function verifyByCertificates(
  { header, signingInput, signature }: ParsedJwt,
  issuer: string,
  context: IAgentContext<{}>,
): Promise<string> {
  const certificateChain = certificatesIn(header)
  if (!certificateChain) {
    const message = `its issuer is "${issuer}", and its header has no certificates (x5c)`
    throw problemsError('invalid_credential', [{ path: 'jwt', message }])
  }
  const signed = { algorithm: header.alg, signed: Buffer.from(signingInput), signature }
  const { signer } = await signerOfCertificates(
    signed,
    { certificateChain, issuer, use: 'credential' },
    context,
  )
  return signer
}
