import { z } from 'zod'
import { publicKeyOfPrivateKey } from '../keys/public-key-of-private-key.js'
import { defineOperation } from '../operation.js'
import { exampleKid, examplePrivateKey } from '../schemas/did.js'
import { PrivateKey } from '../schemas/private-key.js'

/** Section 2.6 of the contract. */
export const KeyResult = z
  .object({
    kid: z.string().meta({ description: 'Id of the key: its public key in hex' }),
    type: z.string(),
    publicKeyHex: z.string(),
  })
  .meta({ id: 'KeyResult', description: 'A key of the account; never its private half' })

export const keyImport = defineOperation({
  id: 'key-import',
  method: 'post',
  path: '/key/import',
  tag: 'Keys',
  summary: 'Import a key pair',
  description:
    'Takes a private key into the account. Importing the same key again gives the same answer; an alias is unique within the account.',
  needs: ['keyManagerImport'],
  changes: true,
  body: PrivateKey,
  response: KeyResult,
  responseExample: { kid: exampleKid, type: 'Ed25519', publicKeyHex: exampleKid },
  examples: [
    {
      summary: 'An Ed25519 seed',
      body: { alias: 'issuer', type: 'Ed25519', privateKeyHex: examplePrivateKey },
    },
  ],
  async run({ body: { type, privateKeyHex, alias }, agent, settings }) {
    // Before the KMS sees it: not every KMS looks whether the two halves of a key belong together.
    publicKeyOfPrivateKey(type, privateKeyHex, 'privateKeyHex')
    const key = await agent.keyManagerImport({
      kms: settings.defaultKms,
      type,
      privateKeyHex,
      ...(alias !== undefined && { meta: { alias } }),
    })
    return { kid: key.kid, type: key.type, publicKeyHex: key.publicKeyHex }
  },
})
