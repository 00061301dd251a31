import { defineOperation } from '../operation.js'
import { DidResult, exampleDid, exampleDidResult, examplePrivateKey } from '../schemas/did.js'
import { ImportDidBody } from '../schemas/did-import.js'
import { importDid } from './did-importing.js'
import { didResult } from './did-result.js'

export const didImport = defineOperation({
  id: 'did-import',
  method: 'post',
  path: '/did/import',
  tag: 'DIDs',
  summary: 'Import a DID',
  description: [
    'Imports a DID and its keys into the account. Every key is compared with the current DID document; if',
    'one of them does not match, nothing is imported. Importing it again has no effect.',
  ].join('\n'),
  needs: [
    'didManagerImport',
    'didManagerGet',
    'didManagerAddKey',
    'didManagerGetProviders',
    'keyManagerFind',
    'resolveDid',
  ],
  changes: true,
  body: ImportDidBody,
  response: DidResult,
  responseExample: exampleDidResult,
  examples: [
    {
      summary: 'With its key',
      body: {
        did: exampleDid,
        keys: [{ type: 'Ed25519', privateKeyHex: examplePrivateKey }],
      },
    },
    { summary: 'With a key that the account holds', body: { did: exampleDid } },
  ],
  run: async ({ body, agent, settings }) => didResult(await importDid(body, agent, settings)),
})
