import { ListPage } from '../parts/list-page.js'
import { Time } from '../parts/pieces.js'
import type { TableRoute } from '../routes.js'
import { useSession } from '../session.js'

/** Who is signed in to the console with an identity provider, for operators. */
export function SessionsPage({ route }: { route: TableRoute }) {
  const { client } = useSession()
  return (
    <ListPage
      route={route}
      heading="Sessions"
      caption="Sessions"
      title="Signed in with an identity provider"
      one="session"
      operation="operator-session-list"
      read={async (query) => {
        const { sessions, ...end } = await client.get('/operator/sessions', { params: { query } })
        return { ...end, items: sessions }
      }}
      byCursor
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Subject',
          cell: ({ subject, issuer }) => (
            <span class="wrap short">
              {subject}
              <span class="hint below">{issuer}</span>
            </span>
          ),
        },
        { head: 'Account', cell: ({ account }) => account },
        {
          head: 'Scopes',
          cell: ({ scopes }) => <span class="wrap short">{scopes?.join(', ') ?? 'not limited'}</span>,
        },
        { head: 'Last used', cell: ({ usedAt }) => <Time at={usedAt} /> },
        { head: 'Ends', cell: ({ endsAt }) => <Time at={endsAt} /> },
      ]}
      none="Nobody is signed in."
      rowActions={({ id, subject }) => [
        {
          label: 'End',
          of: `the session of ${subject}`,
          operation: 'operator-session-end',
          run: async () => {
            await client.delete('/operator/sessions/{id}', { params: { path: { id } } })
            return `The session of ${subject} ended.`
          },
        },
      ]}
    />
  )
}
