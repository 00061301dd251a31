import { Failure, Section, Table, type Row } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'

/** Names of quotas for people; others appear as the service names them. */
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
export function Usage() {
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
