import { GroupNav } from '../parts/group-nav.js'
import { Listing, type DialogParts } from '../parts/list-page.js'
import { Failure, Heading, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import type { TableRoute } from '../routes.js'
import { serves, useSession, useWhyNot } from '../session.js'
import { CreateApiKey, isWorking, keyState, labelOf, RotateApiKey, type ApiKey } from './api-key-dialogs.js'

/** The account itself: its API keys, and what it uses of its quotas and budgets. */
export function AccountPage({ route }: { route: TableRoute }) {
  const { document } = useSession()
  return (
    <>
      <Heading title="Account">Account</Heading>
      <GroupNav current={route.page} />
      {serves(document, '/account/api-keys') && <ApiKeys route={route} />}
      {serves(document, '/account/usage') && <Usage />}
    </>
  )
}

/** The API keys of the account, and what can be done with them. */
function ApiKeys({ route }: { route: TableRoute }) {
  const { client } = useSession()
  const now = new Date()
  const actionsOf = (key: ApiKey) => [
    ...(key.rotatedTo === undefined
      ? [
          {
            label: 'Rotate',
            of: labelOf(key),
            operation: 'api-key-rotate',
            dialog: (parts: DialogParts) => <RotateApiKey apiKey={key} {...parts} />,
          },
        ]
      : []),
    {
      label: 'Revoke',
      of: labelOf(key),
      operation: 'api-key-revoke',
      grave: true,
      confirm: (
        <>
          <p>The service refuses this key from now on, permanently. Programs that use it stop working.</p>
          {key.current && <p class="note failure">You are signed in with this key: this signs you out.</p>}
        </>
      ),
      run: async () => {
        await client.delete('/account/api-keys/{id}', { params: { path: { id: key.id } } })
        return 'The API key was revoked.'
      },
    },
  ]
  return (
    <Listing
      route={route}
      caption="API keys of the account"
      one="API key"
      operation="api-key-list"
      read={async (query) => {
        const { apiKeys, ...end } = await client.get('/account/api-keys', { params: { query } })
        return { ...end, items: apiKeys }
      }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Name',
          cell: (key) => (
            <span class="wrap short">
              {labelOf(key)}
              <span class="hint below mono">{key.shown}</span>
              {key.current && <span class="hint below">You are signed in with it</span>}
            </span>
          ),
        },
        {
          head: 'Rights',
          cell: ({ scopes, networks }) => (
            <span class="wrap short">
              {scopes ? scopes.join(', ') : 'everything that the account may do'}
              {networks && <span class="hint below">only on {networks.join(', ')}</span>}
            </span>
          ),
        },
        { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never') },
        { head: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never') },
        { head: 'State', cell: (key) => keyState(key, now) },
      ]}
      none="No API keys yet."
      actions={[
        {
          label: 'Create an API key',
          operation: 'api-key-create',
          primary: true,
          dialog: (parts) => <CreateApiKey {...parts} />,
        },
      ]}
      rowActions={(key) => (isWorking(key, now) ? actionsOf(key) : [])}
    />
  )
}

/** Labels of quotas; others appear under the service's own names. */
const NAMES: Readonly<Record<string, string>> = {
  dids: 'DIDs',
  keys: 'Key pairs',
  statusLists: 'Status lists',
  resources: 'Other resources (versions)',
  bytes: 'Stored bytes',
  apiKeys: 'Working API keys',
  webhooks: 'Webhooks',
  feesToday: 'Fees for lists of others today (CHEQ)',
  spendToday: 'Fees of own writes today (CHEQ)',
}

interface Used {
  used: number
  limit?: number
}

/** What the account uses of its quotas and of the budgets of the day. */
function Usage() {
  const { client } = useSession()
  const whyNot = useWhyNot()('account-usage')
  return (
    <Section title="Usage and limits">
      {whyNot === undefined ? (
        <UsageTable read={() => client.get('/account/usage')} />
      ) : (
        <p class="hint">{whyNot}</p>
      )}
    </Section>
  )
}

function UsageTable({ read }: { read: () => Promise<object> }) {
  const { value, error, loading } = useLoaded('usage', read)
  return (
    <>
      <Failure text={error} />
      {loading && !value && <p class="hint">Loading …</p>}
      {value && (
        <Table
          caption="Quotas and budgets"
          head={['What', 'Used', 'Limit', 'Share']}
          rows={usageRows(value)}
        />
      )}
    </>
  )
}

function usageRows(usage: object): Row[] {
  const { networks, ...quotas } = usage as Record<string, Used> & {
    networks?: Record<string, Record<string, Used>>
  }
  const ofNetworks = Object.entries(networks ?? {}).flatMap(([network, budgets]) =>
    Object.entries(budgets).map(([budget, used]) =>
      row(`${network} ${budget}`, `${quotaName(budget)}, ${network}`, used),
    ),
  )
  return [...Object.entries(quotas).map(([quota, used]) => row(quota, quotaName(quota), used)), ...ofNetworks]
}

const quotaName = (quota: string) => NAMES[quota] ?? quota

const row = (key: string, name: string, { used, limit }: Used): Row => ({
  key,
  cells: [
    name,
    <span class="number">{used.toLocaleString('en')}</span>,
    <span class="number">{limit === undefined ? 'none' : limit.toLocaleString('en')}</span>,
    limit !== undefined && limit > 0 ? (
      <meter
        min={0}
        max={limit}
        high={limit * 0.8}
        value={Math.min(used, limit)}
        aria-label={`Share of ${name}`}
      >
        {Math.round((100 * used) / limit)} %
      </meter>
    ) : undefined,
  ],
})
