import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { ApiKeyDetails, exampleApiKey, keyId } from '../schemas/api-key.js'

export const apiKeyRevoke = defineOperation({
  id: 'api-key-revoke',
  method: 'delete',
  path: '/account/api-keys/{id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Revokes an API key of the account, at once and permanently; it stays in the list. Revoking it again has no effect.',
  needs: ['apiKeyRevoke'],
  changes: true,
  params: z.strictObject({ id: keyId }),
  response: ApiKeyDetails,
  responseExample: { ...exampleApiKey, revokedAt: '2026-06-01T08:30:00.000Z' },
  notFound: ['api_key_not_found'],
  run: ({ params, agent }) => agent.apiKeyRevoke(params),
})
