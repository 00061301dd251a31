import { problemsError } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { apiKeyFields, CreatedApiKey, exampleCreatedApiKey } from '../schemas/api-key.js'
import { SCOPE_GROUPS, SCOPE_NAMES } from '../admission/scopes.js'
import { withoutUndefined } from './without-undefined.js'

const UNKNOWN_SCOPE = `must be one of ${Object.keys(SCOPE_GROUPS).join(', ')}, or an operation or agent method by its id`

export const apiKeyCreate = defineOperation({
  id: 'api-key-create',
  method: 'post',
  path: '/account/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description: [
    'Creates another API key of the account and shows it only once. It never has more rights than the calling key:',
    'omitted limits are those of the calling key, and wider ones are rejected. It ends with the calling key at the latest;',
    'created with a token or session, with that or after the time configured for its identity provider (`apiKeyLife`), and',
    'it works only while that provider is configured.',
  ].join('\n'),
  needs: ['apiKeyCreate'],
  changes: true,
  answersSecret: true,
  body: z.strictObject(apiKeyFields),
  response: CreatedApiKey,
  responseExample: exampleCreatedApiKey,
  examples: [
    {
      summary: 'For an issuer on testnet',
      body: { name: 'issuer service', scopes: ['read', 'credentials'], networks: ['testnet'] },
    },
  ],
  async run({ body, agent }) {
    demandScopes(body.scopes)
    return agent.apiKeyCreate(withoutUndefined(body))
  },
})

/** @throws AgentError `invalid_input`, naming each scope that there is not */
export function demandScopes(scopes: readonly string[] = [], path = 'scopes'): void {
  const problems = scopes.flatMap((scope, n) =>
    SCOPE_NAMES.includes(scope) ? [] : [{ path: `${path}[${n}]`, message: UNKNOWN_SCOPE }],
  )
  if (problems.length > 0) throw problemsError('invalid_input', problems)
}
