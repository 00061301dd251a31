import { defineOperation } from '../operation.js'
import { accountName, exampleAccount, OperatedAccount } from '../schemas/operator.js'

export const operatorAccountDisable = defineOperation({
  id: 'operator-account-disable',
  method: 'post',
  path: '/operator/accounts/{name}/disable',
  tag: 'Operators',
  summary: 'Disable an account',
  description: [
    'From now on, in every process, its API keys, tokens and sessions are refused, its event streams end, and none of its',
    'events is delivered. Nothing is lost: acknowledged work is completed, its lists are renewed, and what it has',
    'published stays readable. Disabling it again changes nothing. The account of the calling key cannot be disabled.',
  ].join('\n'),
  needs: ['operatorAccountDisable'],
  changes: true,
  params: accountName,
  response: OperatedAccount,
  responseExample: { ...exampleAccount, disabledAt: '2026-06-01T08:30:00.000Z' },
  notFound: ['account_not_found'],
  run: ({ params, agent }) => agent.operatorAccountDisable(params),
})

export const operatorAccountEnable = defineOperation({
  id: 'operator-account-enable',
  method: 'post',
  path: '/operator/accounts/{name}/enable',
  tag: 'Operators',
  summary: 'Enable a disabled account',
  description: 'Everything works as before, unless its deletion has begun: that can only be continued.',
  needs: ['operatorAccountEnable'],
  changes: true,
  params: accountName,
  response: OperatedAccount,
  responseExample: exampleAccount,
  notFound: ['account_not_found'],
  run: ({ params, agent }) => agent.operatorAccountEnable(params),
})
