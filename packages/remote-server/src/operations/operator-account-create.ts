import { operatorMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { apiKeyFields, CreatedApiKey, exampleCreatedApiKey } from '../schemas/api-key.js'
import { exampleAccount, OperatedAccount } from '../schemas/operator.js'
import { demandScopes } from './api-key-create.js'
import { withoutUndefined } from './without-undefined.js'

const { name, quotas, firstKey } = operatorMethods.operatorAccountCreate.arguments.shape

export const operatorAccountCreate = defineOperation({
  id: 'operator-account-create',
  method: 'post',
  path: '/operator/accounts',
  tag: 'Operators',
  summary: 'Create an account',
  description: [
    'Creates an account, and, with `firstKey`, an API key of it, which is shown only once. The key never has the scope',
    '`operator`, writes to no network that the calling key may not write to, and ends with the key, token or session that',
    'creates it at the latest; `expiresAt` says when.',
  ].join('\n'),
  needs: ['operatorAccountCreate'],
  changes: true,
  answersSecret: true,
  body: z.strictObject({
    name,
    quotas,
    firstKey: z.strictObject(apiKeyFields).optional().meta({ description: firstKey.meta()?.description }),
  }),
  response: z
    .object({ account: OperatedAccount, firstKey: CreatedApiKey.optional() })
    .meta({ id: 'CreatedAccount' }),
  responseExample: { account: exampleAccount, firstKey: { ...exampleCreatedApiKey, account: 'acme' } },
  examples: [
    { summary: 'With an API key', body: { name: 'acme', firstKey: { name: 'acme, production' } } },
    { summary: 'With a quota', body: { name: 'acme', quotas: { dids: 5000 } } },
  ],
  async run({ body, agent }) {
    const { firstKey: wanted, ...account } = body
    demandScopes(wanted?.scopes, 'firstKey.scopes')
    const key = wanted && withoutUndefined(wanted)
    return agent.operatorAccountCreate({ ...withoutUndefined(account), ...(key && { firstKey: key }) })
  },
})
