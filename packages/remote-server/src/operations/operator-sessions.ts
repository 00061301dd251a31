import { operatorMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleSession, ListedSession } from '../schemas/operator.js'
import { pageFields } from '../schemas/page.js'

const { operatorSessionList: list, operatorSessionEnd: end } = operatorMethods

export const operatorSessionList = defineOperation({
  id: 'operator-session-list',
  method: 'get',
  path: '/operator/sessions',
  tag: 'Operators',
  summary: 'List the sessions of the console',
  description:
    'Those that began with an identity provider, newest first, with what the rules of now give them.',
  needs: ['operatorSessionList'],
  changes: false,
  query: z.strictObject({ account: list.arguments.shape.account, ...pageFields('sessions') }),
  response: list.returns.extend({ sessions: z.array(ListedSession) }).meta({ id: 'SessionList' }),
  responseExample: { sessions: [exampleSession] },
  run: ({ query, agent }) => agent.operatorSessionList(query),
})

export const operatorSessionEnd = defineOperation({
  id: 'operator-session-end',
  method: 'delete',
  path: '/operator/sessions/{id}',
  tag: 'Operators',
  summary: 'End a session of the console',
  description:
    'At once and in every process. It is in the audit trails of the calling key and of the account of the session.',
  needs: ['operatorSessionEnd'],
  changes: true,
  params: z.strictObject(end.arguments.shape),
  response: end.returns.meta({ id: 'EndedSession' }),
  responseExample: { id: exampleSession.id, ended: true as const },
  notFound: ['session_not_found'],
  run: ({ params, agent }) => agent.operatorSessionEnd(params),
})
