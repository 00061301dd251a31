import { apiKeyMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import {
  ApiKeyDetails,
  CreatedApiKey,
  exampleApiKey,
  exampleCreatedApiKey,
  keyId,
} from '../schemas/api-key.js'

export const apiKeyRotate = defineOperation({
  id: 'api-key-rotate',
  method: 'post',
  path: '/account/api-keys/{id}/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description: [
    'Creates a key with the same name, scopes, networks and expiry, and shows it only once. The old key keeps working for the',
    'overlap, so that you can deploy the new one. A key has one successor.',
  ].join('\n'),
  needs: ['apiKeyRotate'],
  changes: true,
  answersSecret: true,
  params: z.strictObject({ id: keyId }),
  body: z.strictObject({ overlapSeconds: apiKeyMethods.apiKeyRotate.arguments.shape.overlapSeconds }),
  response: z.object({ created: CreatedApiKey, rotated: ApiKeyDetails }).meta({ id: 'ApiKeyRotation' }),
  responseExample: {
    created: { ...exampleCreatedApiKey, id: '0a4a0ac5-5a3a-4a0c-9a65-5a1d3b0c7f3e' },
    rotated: { ...exampleApiKey, rotatedTo: '0a4a0ac5-5a3a-4a0c-9a65-5a1d3b0c7f3e' },
  },
  examples: [{ summary: 'Within an hour', body: { overlapSeconds: 3600 } }],
  notFound: ['api_key_not_found'],
  run: ({ params, body, agent }) => agent.apiKeyRotate({ ...params, ...body }),
})
