import { z } from 'zod'
import { BOUNDS, PAGES } from '../bounds.js'
import { WORK_ACTIONS, WORK_KINDS, WORK_STATES } from '../work-kinds.js'
import { textOfCharacters } from './fields.js'
import { pageEnd } from './paging.js'

const action = z.enum(WORK_ACTIONS)
const id = textOfCharacters(BOUNDS.text).meta({ description: 'Id of the item, as it is listed' })

/** An item of work as its account sees it. */
export const ListedWork = z.object({
  id: z.string(),
  kind: z.enum(WORK_KINDS),
  subject: z.string().meta({ description: 'A list, a DID, a job, a webhook; never the id of a credential' }),
  state: z.enum(WORK_STATES).meta({
    description: '`failed`: its last attempt has failed; it is repeated at `dueAt`',
  }),
  since: z.string().meta({ description: 'Since when it is to be done', format: 'date-time' }),
  dueAt: z.string().meta({
    description: 'While it runs, when the claim of its process ends; while it is paused, the year 9999',
    format: 'date-time',
  }),
  attempts: z.int().min(0).meta({ description: 'That failed since the last success' }),
  failure: z.string().exactOptional().meta({ description: 'Why the last attempt failed' }),
  can: z.array(action).meta({ description: 'What can be done with it now' }),
})

/** The same for operators. */
export const OperatedWork = ListedWork.extend({
  account: z.string().exactOptional().meta({
    description: 'Name of its account, or of the first that holds its DID; absent: it belongs to the service',
  }),
})

/** What of the work is asked for. */
export const workSearch = {
  kind: z.enum(WORK_KINDS).optional().meta({ description: 'Only of this kind' }),
  state: z.enum(WORK_STATES).optional().meta({ description: 'Only in this state' }),
}

const account = textOfCharacters(BOUNDS.name)
  .optional()
  .meta({ description: 'Only of the account of this name' })

const page = {
  limit: z
    .int()
    .optional()
    .meta({ description: `Entries, 1 to ${PAGES.most}; default ${PAGES.usual}` }),
  after: z.string().optional().meta({ description: '`next` of the previous page' }),
}

const changed = <Item extends z.ZodObject>(item: Item) =>
  z.object({
    id: z.string(),
    item: item.exactOptional().meta({ description: 'As it is now; absent: it is cancelled, or has ended' }),
  })

/** The agent methods of what waits, for other plugins of the same agent: all of them are refused to remote ones. */
export const workMethods = {
  workList: {
    description: 'Lists what waits for the account',
    arguments: z.object({ ...workSearch, ...page }),
    returns: z.object({ items: z.array(ListedWork), next: pageEnd.next }),
  },
  workChange: {
    description: 'Retries, pauses, resumes or cancels an item of work of the account',
    arguments: z.object({ id, action }),
    returns: changed(ListedWork),
  },
  operatorWorkList: {
    description: 'Lists what waits in the whole service',
    arguments: z.object({ ...workSearch, account, ...page }),
    returns: z.object({ items: z.array(OperatedWork), next: pageEnd.next }),
  },
  operatorWorkChange: {
    description: 'Retries, pauses, resumes or cancels an item of work of any account',
    arguments: z.object({ id, action }),
    returns: changed(OperatedWork),
  },
}
