import { useState } from 'preact/hooks'
import { ShownOnce } from '../account/shown-once.js'
import { ActionButton } from '../parts/action-button.js'
import { FormField } from '../parts/form-field.js'
import { asked, Paging, totalOf } from '../parts/paging.js'
import { Failure, Heading, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place, type Search } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { CreateAccount, DeleteAccount, DisableAccount, EnableAccount } from './account-dialogs.js'
import { accountState, type OperatedAccount } from './operated-account.js'
import { OperatorsNav } from './operators-nav.js'

const PER_PAGE = 25

type Opened = { what: 'create' } | { what: 'disable' | 'enable' | 'delete'; account: OperatedAccount }

/** A new account with its first API key. */
interface Created {
  name: string
  apiKey: string
}

/** All accounts of the service, for operators. */
export function AccountsPage({ search, place }: { search: Search; place: Place }) {
  const whyNot = useWhyNot()('operator-account-list')
  return (
    <>
      <Heading title="Accounts">Accounts</Heading>
      <OperatorsNav current="operators" />
      {whyNot === undefined ? <Accounts search={search} place={place} /> : <p class="note">{whyNot}</p>}
    </>
  )
}

function Accounts({ search, place }: { search: Search; place: Place }) {
  const { client } = useSession()
  const [opened, setOpened] = useState<Opened>()
  const [created, setCreated] = useState<Created>()
  const { value, error, loading, reload } = useLoaded(`accounts ${JSON.stringify([search, place])}`, () =>
    client.get('/operator/accounts', { params: { query: { ...search, ...asked(place, PER_PAGE) } } }),
  )
  const close = () => setOpened(undefined)
  return (
    <>
      {created && (
        <ShownOnce
          title={`First API key of ${created.name}`}
          hint="Give this API key to the tenant. It may do everything in the account."
          secret={created.apiKey}
          onClose={() => setCreated(undefined)}
        />
      )}
      <Section
        title={value ? totalOf(value, 'account') : 'Accounts'}
        actions={
          <div class="row">
            <button type="button" onClick={reload}>
              Refresh
            </button>
            <button type="button" class="primary" onClick={() => setOpened({ what: 'create' })}>
              Create an account
            </button>
          </div>
        }
      >
        <Filter search={search} key={JSON.stringify(search)} />
        <Failure text={error} />
        {loading && !value && <p class="hint">Loading …</p>}
        {value?.accounts.length === 0 && (
          <p class="hint">
            No accounts match. <a href={routeHash({ page: 'operators' })}>Show all accounts</a>
          </p>
        )}
        {value && value.accounts.length > 0 && <AccountTable accounts={value.accounts} onOpen={setOpened} />}
        {value && (
          <Paging
            place={place}
            size={PER_PAGE}
            facts={{ ...value, rows: value.accounts.length }}
            hrefOf={(next) => routeHash({ page: 'operators', search, place: next })}
          />
        )}
      </Section>
      {opened?.what === 'create' && (
        <CreateAccount
          onClose={close}
          onDone={(made) => {
            setCreated(made)
            reload()
          }}
        />
      )}
      {opened?.what === 'disable' && (
        <DisableAccount account={opened.account} onClose={close} onDone={reload} />
      )}
      {opened?.what === 'enable' && (
        <EnableAccount account={opened.account} onClose={close} onDone={reload} />
      )}
      {opened?.what === 'delete' && (
        <DeleteAccount account={opened.account} onClose={close} onDone={reload} />
      )}
    </>
  )
}

/** The filter is in the address, so that it can be passed on. */
function Filter({ search }: { search: Search }) {
  const [name, setName] = useState(search.name ?? '')
  return (
    <form
      class="row"
      role="search"
      aria-label="Accounts"
      onSubmit={(event) => {
        event.preventDefault()
        const words = name.trim() === '' ? {} : { name: name.trim() }
        window.location.hash = routeHash({ page: 'operators', search: words })
      }}
    >
      <FormField
        label="Name"
        type="search"
        value={name}
        onChange={setName}
        hint="`acme*` finds names that start with acme"
      />
      <div class="row">
        <button type="submit">Filter</button>
      </div>
    </form>
  )
}

function AccountTable({
  accounts,
  onOpen,
}: {
  accounts: readonly OperatedAccount[]
  onOpen: (opened: Opened) => void
}) {
  const whyNot = useWhyNot()
  const rows = accounts.map((account): Row => {
    const { id, name, createdAt, disabledAt, deletionBeganAt } = account
    const since = deletionBeganAt ?? disabledAt
    const change = disabledAt === undefined ? 'disable' : 'enable'
    return {
      key: id,
      cells: [
        <span class="wrap">
          {name}
          <span class="hint below mono">{id}</span>
        </span>,
        <Time at={createdAt} />,
        <span class="wrap short">
          {accountState(account)}
          {since !== undefined && (
            <span class="hint below">
              since <Time at={since} />
            </span>
          )}
        </span>,
        <span class="row">
          {deletionBeganAt === undefined && (
            <ActionButton
              whyNot={whyNot(`operator-account-${change}`)}
              onClick={() => onOpen({ what: change, account })}
            >
              {change === 'disable' ? 'Disable' : 'Enable'}
              <span class="quiet"> {name}</span>
            </ActionButton>
          )}
          <ActionButton
            whyNot={whyNot('operator-account-delete')}
            onClick={() => onOpen({ what: 'delete', account })}
          >
            {deletionBeganAt === undefined ? 'Delete' : 'Continue deleting'}
            <span class="quiet"> {name}</span>
          </ActionButton>
        </span>,
      ],
    }
  })
  return (
    <Table caption="Accounts of the service" head={['Account', 'Created', 'State', 'Actions']} rows={rows} />
  )
}
