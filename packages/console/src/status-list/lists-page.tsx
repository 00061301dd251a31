import type { AnswerOf } from '@vidimus/client'
import { ListPage, type Column, type ListingProps } from '../parts/list-page.js'
import { shortened, Time } from '../parts/pieces.js'
import { routeHash, type TableRoute } from '../routes.js'
import { useSession } from '../session.js'

type ListedList = AnswerOf<'/credential-status/list', 'get'>['statusLists'][number]

/** The status lists of all DIDs of the account. */
export function ListsPage({ route }: { route: TableRoute }) {
  return (
    <ListPage
      {...useLists()}
      route={route}
      heading="Status lists"
      lead={
        <p class="lead">
          The lists of all DIDs of the account, with the members of its series. Create one on the page of its
          DID.
        </p>
      }
      caption="Status lists of the account"
      columns={[NAME, DID, TYPE, GIVEN_OUT, SERIES, VERSIONS, NEWEST]}
      byCursor
    />
  )
}

/** What listings of status lists have in common. @param did - absent: of all DIDs of the account */
export function useLists(did?: string) {
  const { client } = useSession()
  return {
    one: 'status list',
    operation: 'list-status-lists',
    read: async (page) => {
      const query = { ...(did !== undefined && { did }), ...page }
      const { statusLists, ...end } = await client.get('/credential-status/list', { params: { query } })
      return { ...end, items: statusLists }
    },
    keyOf: ({ resourceMetadata }) => resourceMetadata.resourceId,
    columns: [NAME, TYPE, GIVEN_OUT, VERSIONS, NEWEST],
    none: 'No status lists yet.',
  } satisfies Partial<ListingProps<ListedList>>
}

const NAME: Column<ListedList> = {
  head: 'Name',
  cell: ({ did, listType, statusListName, resourceMetadata: { resourceType } }) => (
    <a href={routeHash({ page: 'list', list: { did, listType, resourceType, statusListName } })}>
      {statusListName}
    </a>
  ),
}

const DID: Column<ListedList> = {
  head: 'DID',
  cell: ({ did }) => (
    <a class="mono" href={routeHash({ page: 'did', did })} title={did}>
      {shortened(did)}
    </a>
  ),
}

const TYPE: Column<ListedList> = {
  head: 'Type',
  cell: ({ listType, resourceMetadata: { resourceType } }) =>
    listType === 'StatusList2021' ? resourceType : listType,
}

const GIVEN_OUT: Column<ListedList> = {
  head: 'Given out',
  cell: (list) => <span class="number">{givenOut(list)}</span>,
}

/** How many entries of a list have a credential, or are used otherwise; only of lists of the account. */
export function givenOut({ allocated, entries }: { allocated?: number; entries?: number }): string {
  if (allocated === undefined) return ''
  return [allocated, ...(entries === undefined ? [] : [entries])]
    .map((count) => count.toLocaleString('en'))
    .join(' of ')
}

const SERIES: Column<ListedList> = {
  head: 'Series',
  cell: ({ member }) => member && `${member.series} (${member.state})`,
}

const VERSIONS: Column<ListedList> = {
  head: 'Versions',
  cell: ({ versions }) => <span class="number">{versions.toLocaleString('en')}</span>,
}

const NEWEST: Column<ListedList> = {
  head: 'Newest',
  cell: ({ resourceMetadata: { created } }) => <Time at={created} />,
}
