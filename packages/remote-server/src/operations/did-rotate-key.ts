import { DIDRotateKeyArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid, exampleKid } from '../schemas/did.js'
import { exampleRotation, Rotation } from '../schemas/did-rotation.js'
import { described, did, text } from '../schemas/primitives.js'
import { BOUNDS } from '@vidimus/core-types'
import { kmsOfNewKey } from '../schemas/key.js'
import { withoutUndefined } from './without-undefined.js'

const taken = DIDRotateKeyArgs.shape

export const didRotateKey = defineOperation({
  id: 'did-rotate-key',
  method: 'post',
  path: '/did/rotate-key',
  tag: 'DIDs',
  summary: 'Rotate the signing key of a DID',
  description: [
    'Adds a new key to the DID document, before the current one, and signs all status lists of the DID again with it.',
    'The former key stays in the document for what it has signed, and is then removed. This happens in the background, in any',
    'process: 202 means that the new key does not sign everything yet. Repeating the call meanwhile returns the same rotation.',
  ].join('\n'),
  needs: ['didRotateKey', 'didManagerListProviders', 'didManagerAddKey', 'didManagerRemoveKey'],
  changes: true,
  mayCost: true,
  body: z.strictObject({
    did: did('A DID of the account'),
    key: text(described(taken.key), BOUNDS.name).optional(),
    kms: kmsOfNewKey().optional(),
    gracePeriod: taken.gracePeriod,
  }),
  response: Rotation,
  isUnderWay: ({ state }) => state === 'adding' || state === 'signing',
  responseExample: exampleRotation,
  examples: [
    {
      summary: 'A new key; the former one stays for 90 days',
      body: { did: exampleDid, gracePeriod: 'P90D' },
    },
    { summary: 'A key of the account', body: { did: exampleDid, key: exampleKid } },
  ],
  run: ({ body, agent }) => agent.didRotateKey(withoutUndefined(body)),
})
