import type { AnswerOf } from '@vidimus/client'
import type { Filter } from '../parts/filter-form.js'
import { ListPage, type Column } from '../parts/list-page.js'
import { Time } from '../parts/pieces.js'
import type { TableRoute } from '../routes.js'
import { useSession } from '../session.js'

export const ENTRIES_PATH = '/credential/entries'

type IssuedEntry = AnswerOf<typeof ENTRIES_PATH, 'get'>['entries'][number]

/** The register: credentials that were issued with an entry of a status list, by list and index. */
export function IssuedPage({ route }: { route: TableRoute }) {
  const { client } = useSession()
  return (
    <ListPage<IssuedEntry>
      route={route}
      heading="Issued credentials"
      lead={
        <p class="lead">
          Credentials with an entry of a status list. The register holds neither claims nor ids: to find the
          one of an id, choose its index on the page of its list, under "Who holds it".
        </p>
      }
      title="Entries"
      caption="Issued credentials"
      one="entry"
      many="entries"
      operation="credential-entries"
      read={async (page, search) => {
        const query = { ...search, ...page }
        const { entries, ...end } = await client.get(ENTRIES_PATH, { params: { query } })
        return { ...end, items: entries }
      }}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ list, index, credentialHash }) => `${list} ${index} ${credentialHash}`}
      none="No credentials with an entry of a status list yet."
      byCursor
    />
  )
}

const FILTERS: readonly Filter[] = [
  { name: 'did', label: 'Publisher of the list', placeholder: 'did:cheqd:testnet:...' },
  { name: 'list', label: 'Address of the list', placeholder: 'did:...?resourceName=employees&...' },
  { name: 'issuedFrom', label: 'Issued from', placeholder: '2026-01-31' },
  { name: 'issuedUntil', label: 'Issued before', placeholder: '2026-02-28' },
]

const COLUMNS: readonly Column<IssuedEntry>[] = [
  {
    head: 'List',
    cell: ({ list }) => <span title={list}>{nameOfList(list)}</span>,
  },
  { head: 'Index', cell: ({ index }) => <span class="number">{index}</span> },
  { head: 'State', cell: ({ state }) => state ?? 'unknown' },
  { head: 'Issued', cell: ({ issuedAt }) => <Time at={issuedAt} /> },
  { head: 'Expires', cell: ({ expiresAt }) => (expiresAt === undefined ? 'never' : <Time at={expiresAt} />) },
]

/** Of a DID URL the name of the list; an https address is shown as it is. */
function nameOfList(address: string): string {
  const [, query = ''] = address.split('?')
  return new URLSearchParams(query).get('resourceName') ?? address
}
