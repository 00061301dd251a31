import { operatorMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { accountName, exampleAccount, OperatedAccount } from '../schemas/operator.js'

const { contents, lists, listsAreAll } = operatorMethods.operatorAccountContents.returns.shape

export const operatorAccountDelete = defineOperation({
  id: 'operator-account-delete',
  method: 'delete',
  path: '/operator/accounts/{name}',
  tag: 'Operators',
  summary: 'Delete an account',
  description: [
    'Disables the account for good, waits for its acknowledged work, and erases its keys, DIDs, API keys and other data;',
    'what it has published stays on its ledgers. A 202 means that this goes on in the background, also after a restart;',
    'repeat the request to learn whether it has ended: then it is a 404.',
    '',
    'With `dryRun`, nothing changes: the response has what would be erased, and the lists that nobody could sign again.',
    'The account of the calling key cannot be deleted.',
  ].join('\n'),
  needs: ['operatorAccountContents', 'operatorAccountDelete'],
  changes: true,
  params: accountName,
  query: z.strictObject({
    dryRun: z.boolean().optional().meta({ description: 'Only report what would be erased' }),
  }),
  response: z
    .object({
      account: OperatedAccount,
      deleted: z.boolean(),
      contents: contents.optional(),
      lists: lists.optional(),
      listsAreAll,
    })
    .meta({ id: 'AccountDeletion' }),
  responseExample: {
    account: exampleAccount,
    deleted: false,
    contents: [{ name: 'API keys', rows: 2, fate: 'erased' }],
    lists: [],
  },
  notFound: ['account_not_found'],
  isUnderWay: ({ deleted, contents: look }) => deleted === false && look === undefined,
  async run({ params, query, agent }) {
    if (query.dryRun) return { ...(await agent.operatorAccountContents(params)), deleted: false }
    return agent.operatorAccountDelete(params)
  },
})
