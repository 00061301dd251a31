import { operatorMethods, pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleAccount, OperatedAccount } from '../schemas/operator.js'
import { pageFields } from '../schemas/page.js'

const { name } = operatorMethods.operatorAccountList.arguments.shape

export const operatorAccountList = defineOperation({
  id: 'operator-account-list',
  method: 'get',
  path: '/operator/accounts',
  tag: 'Operators',
  summary: 'List the accounts of the service',
  description: 'By name, disabled ones included.',
  needs: ['operatorAccountList'],
  changes: false,
  query: z.strictObject({ name, ...pageFields('accounts') }),
  response: z.object({ ...pageEnd, accounts: z.array(OperatedAccount) }).meta({ id: 'OperatedAccountList' }),
  responseExample: { total: 1, accounts: [exampleAccount] },
  run: ({ query, agent }) => agent.operatorAccountList(query),
})
