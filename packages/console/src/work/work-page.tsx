import type { AnswerOf } from '@vidimus/client'
import { CANCELLING } from '../changes/use-job.js'
import { ListPage, type Action } from '../parts/list-page.js'
import { counted, Time } from '../parts/pieces.js'
import { routeHash, type TableRoute } from '../routes.js'
import { useSession } from '../session.js'

type Work = AnswerOf<'/operator/work', 'get'>['items'][number]
type Can = Work['can'][number]

const KINDS: Readonly<Record<Work['kind'], string>> = {
  'account-deletion': 'Deletion of an account',
  delivery: 'Delivery to a webhook',
  'did-creation': 'Creation of a DID',
  event: 'Event',
  job: 'Mass change',
  'key-erasure': 'Erasure of a key',
  'ledger-change': 'Change on a ledger',
  publication: 'Static publication',
  renewal: 'Renewal of a list',
  rotation: 'Rotation of a key',
  series: 'Next list of a series',
  slot: 'Next version of a list with a pace',
}

const STATES: readonly Work['state'][] = ['due', 'running', 'waiting', 'paused', 'failed']

/** Without a sentence, an action needs no confirmation. */
const ACTIONS: Readonly<Record<Can, { label: string; done: string; means?: string }>> = {
  retry: { label: 'Retry', done: 'It is tried at once.' },
  pause: {
    label: 'Pause',
    done: 'It is paused.',
    means:
      'Nothing of it is done until it is resumed. What is under way has no effect; what is done stays done.',
  },
  resume: { label: 'Resume', done: 'It was resumed.' },
  cancel: {
    label: 'Cancel',
    done: 'It was cancelled.',
    means: 'It is not done at all. What is done stays done.',
  },
}

/** What cancelling means for kinds of which something is left. */
const CANCELLED: Partial<Record<Work['kind'], string>> = {
  delivery: 'Its events become dead letters of the webhook, from where they can be delivered again.',
  job: CANCELLING,
}

/** What waits, or has failed: of the account, or of all for operators. */
export function WorkPage({ route, isOperator = false }: { route: TableRoute; isOperator?: boolean }) {
  const { client } = useSession()
  return (
    <ListPage
      route={route}
      heading="Work"
      caption={isOperator ? 'Work of all accounts' : 'Work of the account'}
      title={isOperator ? 'What waits, of all accounts' : 'What waits'}
      one="item"
      operation={isOperator ? 'operator-work-list' : 'work-list'}
      read={(page, search) => {
        const query = { ...search, ...page } as object
        return isOperator
          ? client.get('/operator/work', { params: { query } })
          : client.get('/work', { params: { query } })
      }}
      byCursor
      filters={[
        { name: 'kind', label: 'Kind', choices: Object.keys(KINDS), names: KINDS },
        { name: 'state', label: 'State', choices: STATES },
        ...(isOperator ? [{ name: 'account', label: 'Account' }] : []),
      ]}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Work', cell: (item) => <Subject item={item} isOperator={isOperator} /> },
        ...(isOperator ? [{ head: 'Account', cell: ({ account }: Work) => account }] : []),
        { head: 'State', cell: State },
        { head: 'Since', cell: ({ since }) => <Time at={since} /> },
      ]}
      none="Nothing waits."
      rowActions={useWorkActions(isOperator)}
    />
  )
}

function Subject({ item: { kind, subject }, isOperator }: { item: Work; isOperator: boolean }) {
  return (
    <span class="wrap">
      {KINDS[kind]}
      <span class="hint below mono">
        {kind === 'job' && !isOperator ? (
          <a href={routeHash({ page: 'changes', search: { job: subject } })}>{subject}</a>
        ) : (
          subject
        )}
      </span>
    </span>
  )
}

function State({ state, dueAt, attempts, failure }: Work) {
  return (
    <span class="wrap short">
      {state}
      {state === 'failed' && ` ${counted(attempts, 'time')}`}
      {failure !== undefined && <span class="hint below">{failure}</span>}
      {(state === 'failed' || state === 'waiting') && (
        <span class="hint below">
          {state === 'failed' ? 'next attempt ' : 'until '}
          <Time at={dueAt} />
        </span>
      )}
    </span>
  )
}

function useWorkActions(isOperator: boolean) {
  const { client } = useSession()
  return ({ id, kind, subject, can }: Work): Action[] =>
    can.map((action) => {
      const { label, done, means } = ACTIONS[action]
      const sentence = action === 'cancel' ? (CANCELLED[kind] ?? means) : means
      return {
        label,
        of: `${KINDS[kind]} ${subject}`,
        operation: isOperator ? `operator-work-${action}` : `work-${action}`,
        grave: action === 'cancel',
        confirm: sentence && <p>{sentence}</p>,
        run: async () => {
          const params = { path: { id } }
          await (isOperator
            ? client.post(`/operator/work/{id}/${action}`, { params })
            : client.post(`/work/{id}/${action}`, { params }))
          return done
        },
      }
    })
}
