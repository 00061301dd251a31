import type { AnswerOf } from '@vidimus/client'
import { ListPage, type Action } from '../parts/list-page.js'
import { Time } from '../parts/pieces.js'
import type { TableRoute } from '../routes.js'
import { useSession } from '../session.js'
import { CreateAccount, DeleteAccount } from './account-dialogs.js'

type Account = AnswerOf<'/operator/accounts', 'get'>['accounts'][number]

/** All accounts of the service, for operators. */
export function AccountsPage({ route }: { route: TableRoute }) {
  const { client } = useSession()
  return (
    <ListPage
      route={route}
      heading="Accounts"
      caption="Accounts of the service"
      one="account"
      operation="operator-account-list"
      read={async (page, search) => {
        const query = { ...search, ...page }
        const { accounts, ...end } = await client.get('/operator/accounts', { params: { query } })
        return { ...end, items: accounts }
      }}
      filters={[{ name: 'name', label: 'Name', placeholder: 'acme*' }]}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Account',
          cell: ({ name, id }) => (
            <span class="wrap">
              {name}
              <span class="hint below mono">{id}</span>
            </span>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'State', cell: AccountState },
      ]}
      none="No accounts yet."
      actions={[
        {
          label: 'Create an account',
          operation: 'operator-account-create',
          primary: true,
          dialog: (parts) => <CreateAccount {...parts} />,
        },
      ]}
      rowActions={useAccountActions()}
    />
  )
}

function AccountState({ disabledAt, deletionBeganAt }: Account) {
  const since = deletionBeganAt ?? disabledAt
  if (since === undefined) return 'in use'
  return (
    <span class="wrap short">
      {deletionBeganAt === undefined ? 'disabled' : 'being deleted'}
      <span class="hint below">
        since <Time at={since} />
      </span>
    </span>
  )
}

function useAccountActions() {
  const { client } = useSession()
  return ({ name, disabledAt, deletionBeganAt }: Account): Action[] => {
    const params = { path: { name } }
    const disable: Action = {
      label: 'Disable',
      of: name,
      operation: 'operator-account-disable',
      grave: true,
      confirm: (
        <p>
          Its API keys, tokens and sessions are refused at once, and none of its events is delivered. Nothing
          is lost: acknowledged work is completed, and what it has published stays readable. It can be enabled
          again.
        </p>
      ),
      run: async () => {
        await client.post('/operator/accounts/{name}/disable', { params })
        return `The account ${name} is disabled.`
      },
    }
    const enable: Action = {
      label: 'Enable',
      of: name,
      operation: 'operator-account-enable',
      confirm: <p>Its API keys work again, and pending events are delivered.</p>,
      run: async () => {
        await client.post('/operator/accounts/{name}/enable', { params })
        return `The account ${name} is enabled.`
      },
    }
    const remove: Action = {
      label: deletionBeganAt === undefined ? 'Delete' : 'Continue deleting',
      of: name,
      operation: 'operator-account-delete',
      dialog: (parts) => <DeleteAccount name={name} {...parts} />,
    }
    if (deletionBeganAt !== undefined) return [remove]
    return [disabledAt === undefined ? disable : enable, remove]
  }
}
