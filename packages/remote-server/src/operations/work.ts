import { WORK_ACTIONS, type WorkAction } from '@vidimus/core-types'
import { workMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation, type Operation } from '../operation.js'
import { pageFields } from '../schemas/page.js'
import { exampleWork, ListedWork, OperatedWork } from '../schemas/work.js'
import { withoutUndefined } from './without-undefined.js'

const {
  workList: list,
  operatorWorkList: listAll,
  workChange: change,
  operatorWorkChange: changeAny,
} = workMethods
const { after, limit } = pageFields('items')
const { kind, state } = list.arguments.shape

const SHORT = 'A page may be short, or empty: only its `next` tells whether more follows.'
const SEE = 'The kinds, and what can be done with them, are in docs/work.md.'

const workList = defineOperation({
  id: 'work-list',
  method: 'get',
  path: '/work',
  tag: 'Account',
  summary: 'List what waits',
  description: `What the service has still to do for the account and its DIDs, now or later. ${SEE} ${SHORT}`,
  needs: ['workList'],
  changes: false,
  query: z.strictObject({ kind, state, after, limit }),
  response: list.returns.extend({ items: z.array(ListedWork) }).meta({ id: 'WorkList' }),
  responseExample: { items: [exampleWork] },
  run: ({ query, agent }) => agent.workList(withoutUndefined(query)),
})

const operatorWorkList = defineOperation({
  id: 'operator-work-list',
  method: 'get',
  path: '/operator/work',
  tag: 'Operators',
  summary: 'List what waits, of all accounts',
  description: `By kind, the earliest due first; of one account by its DIDs. ${SEE} ${SHORT}`,
  needs: ['operatorWorkList'],
  changes: false,
  query: z.strictObject({ kind, state, account: listAll.arguments.shape.account, after, limit }),
  response: listAll.returns.extend({ items: z.array(OperatedWork) }).meta({ id: 'OperatedWorkList' }),
  responseExample: { items: [{ ...exampleWork, account: 'acme' }] },
  notFound: ['account_not_found'],
  run: ({ query, agent }) => agent.operatorWorkList(withoutUndefined(query)),
})

const ACTS: Readonly<Record<WorkAction, { summary: string; description: string }>> = {
  retry: {
    summary: 'Retry work at once',
    description: 'Work whose last attempt has failed is due at once, and not at its time.',
  },
  pause: {
    summary: 'Pause work',
    description:
      'It is not done until it is resumed. What is under way has no effect any more; what is done stays done.',
  },
  resume: { summary: 'Resume paused work', description: 'It is due at once.' },
  cancel: {
    summary: 'Cancel work',
    description: 'It is not done at all. What is done stays done.',
  },
}

const ChangedWork = change.returns.extend({ item: ListedWork.exactOptional() }).meta({ id: 'ChangedWork' })
const ChangedOperatedWork = changeAny.returns
  .extend({ item: OperatedWork.exactOptional() })
  .meta({ id: 'ChangedOperatedWork' })

const params = z.strictObject({ id: change.arguments.shape.id })
const example = { ...exampleWork, state: 'due' as const, can: ['pause' as const] }

const acts = WORK_ACTIONS.map((action): Operation => {
  const { summary, description } = ACTS[action]
  return defineOperation({
    id: `work-${action}`,
    method: 'post',
    path: `/work/{id}/${action}`,
    tag: 'Account',
    summary,
    description: `${description} It takes a right of the kind, such as \`webhooks\` for a delivery. ${SEE}`,
    needs: ['workChange'],
    changes: true,
    params,
    response: ChangedWork,
    responseExample: action === 'cancel' ? { id: example.id } : { id: example.id, item: example },
    notFound: ['work_not_found'],
    run: ({ params: { id }, agent }) => agent.workChange({ id, action }),
  })
})

const operatorActs = WORK_ACTIONS.map((action): Operation => {
  const { summary, description } = ACTS[action]
  return defineOperation({
    id: `operator-work-${action}`,
    method: 'post',
    path: `/operator/work/{id}/${action}`,
    tag: 'Operators',
    summary: `${summary}, of any account`,
    description: `${description} It is in the audit trails of the calling key and of the account. ${SEE}`,
    needs: ['operatorWorkChange'],
    changes: true,
    params,
    response: ChangedOperatedWork,
    responseExample:
      action === 'cancel' ? { id: example.id } : { id: example.id, item: { ...example, account: 'acme' } },
    notFound: ['work_not_found'],
    run: ({ params: { id }, agent }) => agent.operatorWorkChange({ id, action }),
  })
})

/** What waits in the background: for accounts and, of all accounts, for operators. */
export const workOperations: readonly Operation[] = [workList, ...acts, operatorWorkList, ...operatorActs]
