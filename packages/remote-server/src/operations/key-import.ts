import { publicKeyOfPrivateKey } from '../keys/public-key-of-private-key.js'
import { defineOperation } from '../operation.js'
import { examplePrivateKey } from '../schemas/did.js'
import { exampleKeyDetails, heldKeyDetails, KeyDetails } from '../schemas/key.js'
import { PrivateKey } from '../schemas/private-key.js'

export const keyImport = defineOperation({
  id: 'key-import',
  method: 'post',
  path: '/key/import',
  tag: 'Keys',
  summary: 'Import a key pair',
  description:
    'Imports a private key into the account. Importing the same key again returns the same response; an alias is unique within the account.',
  needs: ['keyManagerImport'],
  changes: true,
  body: PrivateKey,
  response: KeyDetails,
  responseExample: exampleKeyDetails,
  examples: [
    {
      summary: 'An Ed25519 seed',
      body: { alias: 'issuer', type: 'Ed25519', privateKeyHex: examplePrivateKey },
    },
  ],
  async run({ body: { type, privateKeyHex, alias }, agent, settings }) {
    // Checked before the KMS, as not every KMS checks that both halves of a key match.
    publicKeyOfPrivateKey(type, privateKeyHex, 'privateKeyHex')
    const meta = alias === undefined ? {} : { meta: { alias } }
    const key = await agent.keyManagerImport({
      kms: settings.defaultKms,
      type,
      privateKeyHex,
      ...meta,
    })
    return heldKeyDetails(agent, { ...key, ...meta })
  },
})
