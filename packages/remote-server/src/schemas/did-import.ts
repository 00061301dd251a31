import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { did, hexKey } from './primitives.js'
import { PrivateKey } from './private-key.js'

export const ImportDidBody = z.strictObject({
  did: did('The DID; it must resolve'),
  controllerKeyId: hexKey('Which of the keys controls the DID; default: the first one').optional(),
  keys: z.array(PrivateKey).max(BOUNDS.importedKeys).optional().meta({
    description:
      'Keys whose public halves stand in the DID document. Left out, the account must hold one of them already',
  }),
})
export type ImportDidBody = z.output<typeof ImportDidBody>
