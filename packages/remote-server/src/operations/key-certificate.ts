import { KeyCertificate, KeyCertificateSetArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKid } from '../schemas/did.js'
import { text } from '../schemas/primitives.js'

export const keyCertificate = defineOperation({
  id: 'key-certificate',
  method: 'post',
  path: '/key/certificate',
  tag: 'Keys',
  summary: 'Set the certificates of a key',
  description: [
    'Stores the X.509 certificates of a key. The leaf must be for this key and name an https address or a host; a self-signed trust',
    'anchor at the end is omitted. SD-JWT VCs and token status lists that the key signs from then on carry the certificates, and the',
    'address is their issuer. Setting others replaces them; an empty list removes them.',
  ].join('\n'),
  needs: ['keyCertificateSet'],
  changes: true,
  body: z.strictObject({
    kid: text('Id of the key', 512),
    certificateChain: KeyCertificateSetArgs.shape.certificateChain,
  }),
  response: KeyCertificate.meta({ id: 'KeyCertificate' }),
  responseExample: {
    kid: exampleKid,
    issuer: 'https://issuer.example',
    expiresAt: '2028-01-31T12:00:00.000Z',
    certificateChain: ['MIIB...', 'MIIC...'],
    signsStatusLists: true,
  },
  examples: [
    {
      summary: 'A chain in PEM, the leaf first',
      body: {
        kid: exampleKid,
        certificateChain: '-----BEGIN CERTIFICATE-----\n...\n-----END CERTIFICATE-----',
      },
    },
  ],
  notFound: ['key_not_found'],
  run: ({ body, agent }) => agent.keyCertificateSet(body),
})
