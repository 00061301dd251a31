import { z } from 'zod'
import { BOUNDS } from '../bounds.js'

const chain = z.array(z.string().max(BOUNDS.certificateText)).min(1).max(BOUNDS.certificates)

export const CertificateVerifyArgs = z.strictObject({
  certificateChain: chain.meta({
    description: 'Certificates in base64 DER, the leaf first, as `x5c` has them',
  }),
  issuer: z.string().max(BOUNDS.url).meta({ description: 'The https address that the leaf must name' }),
  use: z.enum(['credential', 'statusList']).meta({ description: 'What the leaf has signed' }),
  sameAnchorAs: chain.optional().meta({
    description:
      'Of a status list: the certificates of the credential that names it, to whose trust anchor it must lead where status lists have none of their own',
  }),
})

export const CertificateVerifyResult = z.object({
  publicKey: z
    .object({ type: z.string(), publicKeyHex: z.string() })
    .meta({ description: 'Key of the leaf; whether it has signed anything is for the caller to verify' }),
  signer: z.string().meta({ description: '`x5t#S256:` and the SHA-256 thumbprint of the leaf' }),
  validUntil: z.string().meta({ description: 'When the first certificate on the way to the anchor expires' }),
})

export const certificateMethods = {
  certificateVerify: {
    description: 'Verifies a chain of X.509 certificates against the trust anchors of this service',
    arguments: CertificateVerifyArgs,
    returns: CertificateVerifyResult,
  },
}
