import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleRotation, Rotation } from '../schemas/did-rotation.js'
import { did } from '../schemas/primitives.js'

export const didRotationRead = defineOperation({
  id: 'did-rotation-read',
  method: 'get',
  path: '/did/rotations/{did}',
  tag: 'DIDs',
  summary: 'Get the progress of a key rotation',
  description: 'The latest key rotation of the DID.',
  needs: ['didRotationGet'],
  changes: false,
  params: z.strictObject({ did: did('A DID of the account') }),
  response: Rotation,
  responseExample: exampleRotation,
  notFound: ['rotation_not_found'],
  run: ({ params, agent }) => agent.didRotationGet(params),
})
