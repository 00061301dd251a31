import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { did, hexKey } from './primitives.js'
import { PrivateKey } from './private-key.js'

export const ImportDidBody = z.strictObject({
  did: did('The DID; it must resolve'),
  controllerKeyId: hexKey('Key that controls the DID; default: the first one').optional(),
  keys: z.array(PrivateKey).max(BOUNDS.importedKeys).optional().meta({
    description:
      'Keys whose public keys are in the DID document. Without any, the account must already hold one of them',
  }),
})
export type ImportDidBody = z.output<typeof ImportDidBody>
