import { KeyCertificateRequest } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKid } from '../schemas/did.js'
import { text } from '../schemas/primitives.js'

export const keyCsr = defineOperation({
  id: 'key-csr',
  method: 'post',
  path: '/key/csr',
  tag: 'Keys',
  summary: 'Request a certificate for a key',
  description:
    'Creates a certificate signing request (PKCS #10), signed by the key in its KMS. It names no subject: the certificate authority decides.',
  needs: ['keyCertificateRequest'],
  changes: true,
  body: z.strictObject({ kid: text('Id of the key', 512) }),
  response: KeyCertificateRequest.meta({ id: 'KeyCertificateRequest' }),
  responseExample: {
    kid: exampleKid,
    certificateRequest: '-----BEGIN CERTIFICATE REQUEST-----\n...\n-----END CERTIFICATE REQUEST-----\n',
  },
  examples: [{ summary: 'For a key of the account', body: { kid: exampleKid } }],
  notFound: ['key_not_found'],
  run: ({ body, agent }) => agent.keyCertificateRequest(body),
})
