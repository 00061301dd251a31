import { z } from 'zod'
import { BOUNDS } from '../bounds.js'

const chain = z.array(z.string().max(BOUNDS.certificateText)).min(1).max(BOUNDS.certificates)

export const CertificateVerifyArgs = z.strictObject({
  certificateChain: chain.meta({
    description: 'Certificates in base64 DER, the leaf first, as `x5c` has them',
  }),
  issuer: z.string().max(BOUNDS.url).meta({ description: 'The https address that the leaf must name' }),
  use: z.enum(['credential', 'statusList']).meta({ description: 'What the leaf signed' }),
  anchors: z.array(z.string()).optional().meta({
    description:
      'For status lists: names of trust anchors whose certificates may sign it as well, whatever they name',
  }),
  sameAnchorAs: chain.optional().meta({
    description:
      'For status lists: certificates of the credential that names it; without separate anchors for status lists, it must lead to the same anchor',
  }),
})

/** The key of an account. */
const kid = z.string().min(1).max(BOUNDS.hexKey).meta({ description: 'A key of the account' })

export const KeyCertificateSetArgs = z.strictObject({
  kid,
  certificateChain: z
    .union([
      z.string().max(BOUNDS.certificateText * BOUNDS.certificates),
      z.array(z.string().max(BOUNDS.certificateText)).max(BOUNDS.certificates),
    ])
    .meta({
      description:
        'The leaf first: one PEM text, or a list of certificates in base64 DER. An empty list removes the certificates',
    }),
})

export const KeyCertificateArgs = z.strictObject({ kid })

export const KeyCertificateGetArgs = z.strictObject({
  kid,
  did: z.string().max(BOUNDS.didUrl).optional().meta({
    description: 'A DID that must have the key; a key that it was never given issues without certificates',
  }),
})

export const KeyCertificateRequest = z.object({
  kid: z.string(),
  certificateRequest: z.string().meta({ description: 'PKCS #10 in PEM, signed by the key' }),
})

/** What is known of the certificates of a key. */
export const KeyCertificate = z.object({
  kid: z.string(),
  issuer: z
    .string()
    .exactOptional()
    .meta({ description: 'The https address that is the issuer of what it signs with them; absent: none' }),
  expiresAt: z.string().exactOptional().meta({ description: 'When the first of them expires' }),
  certificateChain: z.array(z.string()).meta({ description: 'In base64 DER, the leaf first' }),
  signsStatusLists: z.boolean().meta({ description: 'Whether the leaf may sign status lists' }),
})

export const CertificateVerifyResult = z.object({
  publicKey: z
    .object({ type: z.string(), publicKeyHex: z.string() })
    .meta({ description: 'Key of the leaf; the caller must verify the signature' }),
  signer: z.string().meta({ description: '`x5t#S256:` and the SHA-256 thumbprint of the leaf' }),
  validUntil: z.string().meta({ description: 'When the first certificate of the path expires' }),
  anchor: z.string().meta({ description: 'Name of the trust anchor that it leads to' }),
  statusIssuer: z.boolean().exactOptional().meta({
    description: 'For status lists: the leaf may sign them for every issuer below that trust anchor',
  }),
})

export const certificateMethods = {
  certificateVerify: {
    description: 'Verifies a chain of X.509 certificates against the trust anchors of this service',
    arguments: CertificateVerifyArgs,
    returns: CertificateVerifyResult,
  },
  keyCertificateRequest: {
    description: 'Creates a certificate signing request for a key of the account',
    arguments: KeyCertificateArgs,
    returns: KeyCertificateRequest,
  },
  keyCertificateSet: {
    description: 'Sets the certificates of a key of the account',
    arguments: KeyCertificateSetArgs,
    returns: KeyCertificate,
  },
  keyCertificateGet: {
    description: 'Reads the certificates of a key of the account',
    arguments: KeyCertificateGetArgs,
    returns: KeyCertificate.nullable(),
  },
}
