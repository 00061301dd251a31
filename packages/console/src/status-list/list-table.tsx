import { Table, Time, shortened } from '../parts/pieces.js'
import { routeHash } from '../routes.js'

export interface ListedList {
  did: string
  statusListName: string
  listType: string
  versions: number
  member?: { series: string; state: string }
  resourceMetadata: { resourceType: string; created: string; resourceId: string }
}

/** Status lists, each with the way to its page. @param ofAccount - of several DIDs, and with their series */
export function ListTable({
  caption,
  lists,
  ofAccount = false,
}: {
  caption: string
  lists: readonly ListedList[]
  ofAccount?: boolean
}) {
  const rows = lists.map((list) => ({
    key: list.resourceMetadata.resourceId,
    cells: ofAccount
      ? [nameOf(list), didOf(list), typeOf(list), seriesOf(list), versionsOf(list), newestOf(list)]
      : [nameOf(list), typeOf(list), versionsOf(list), newestOf(list)],
  }))
  const head = ofAccount
    ? ['Name', 'DID', 'Type', 'Series', 'Versions', 'Newest']
    : ['Name', 'Type', 'Versions', 'Newest']
  return <Table caption={caption} head={head} rows={rows} />
}

const nameOf = ({ did, listType, statusListName, resourceMetadata: { resourceType } }: ListedList) => (
  <a href={routeHash({ page: 'list', list: { did, listType, resourceType, statusListName } })}>
    {statusListName}
  </a>
)

const didOf = ({ did }: ListedList) => (
  <a class="mono" href={routeHash({ page: 'did', did })} title={did}>
    {shortened(did)}
  </a>
)

const typeOf = ({ listType, resourceMetadata: { resourceType } }: ListedList) =>
  listType === 'StatusList2021' ? resourceType : listType

const seriesOf = ({ member }: ListedList) => (member ? `${member.series} (${member.state})` : '')

const versionsOf = ({ versions }: ListedList) => <span class="number">{versions.toLocaleString('en')}</span>

const newestOf = ({ resourceMetadata: { created } }: ListedList) => <Time at={created} />
