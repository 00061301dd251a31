import { asked, Paging, totalOf } from '../parts/paging.js'
import { Failure, Heading, Section } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place } from '../routes.js'
import { useSession } from '../session.js'
import { ListTable } from '../status-list/list-table.js'

const PER_PAGE = 50

/** The status lists of all DIDs of the account. */
export function ListsPage({ place }: { place: Place }) {
  const { client } = useSession()
  // Lists of several DIDs have no page numbers.
  const { number: _, ...after } = place
  const { value, error, loading } = useLoaded(`lists ${JSON.stringify(after)}`, () =>
    client.get('/credential-status/list', { params: { query: asked(after, PER_PAGE) } }),
  )
  const isFirst = after.after === undefined
  return (
    <>
      <Heading title="Status lists">Status lists</Heading>
      <p class="lead">
        The lists of all DIDs of the account, with the members of its series. Create one on the page of its
        DID.
      </p>
      <Section title={value ? totalOf(value, 'status list') : 'Status lists'}>
        <Failure text={error} />
        {loading && !value && <p class="hint">Loading …</p>}
        {value?.statusLists.length === 0 && (
          <p class="hint">
            {value.next === undefined && isFirst ? 'No status lists yet.' : 'No status lists on this page.'}
          </p>
        )}
        {value && value.statusLists.length > 0 && (
          <ListTable caption="Status lists of the account" lists={value.statusLists} ofAccount />
        )}
        {value && (
          <Paging
            place={after}
            size={PER_PAGE}
            // Its pages are known only one after the other.
            facts={{ ...value, total: 0, rows: value.statusLists.length }}
            hrefOf={(next) => routeHash({ page: 'lists', place: next })}
          />
        )}
      </Section>
    </>
  )
}
