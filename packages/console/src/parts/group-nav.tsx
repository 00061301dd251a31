import { routeHash, type NamedPage, type Route } from '../routes.js'
import { serves, useSession } from '../session.js'

type Member = readonly [label: string, page: NamedPage, path?: string]

/** Pages that belong together, each with the path of the API without which it has nothing to show. */
const GROUPS: Readonly<Record<string, readonly Member[]>> = {
  Account: [
    ['API keys and usage', 'account'],
    ['Webhooks', 'webhooks', '/account/webhooks'],
    ['Audit trail', 'audit', '/account/audit'],
  ],
  Credentials: [
    ['Issue and verify', 'credentials'],
    ['Issued', 'issued', '/credential/entries'],
  ],
  Operators: [
    ['Accounts', 'operators'],
    ['Sessions', 'sessions'],
    ['Work', 'all-work', '/operator/work'],
    ['Health', 'health'],
  ],
}

/** The pages beside this one in its group; nothing for a page without a group. */
export function GroupNav({ current }: { current: Route['page'] }) {
  const { document } = useSession()
  const [name, members = []] =
    Object.entries(GROUPS).find(([, pages]) => pages.some(([, page]) => page === current)) ?? []
  if (name === undefined) return null
  return (
    <nav class="row" aria-label={name}>
      {members
        .filter(([, , path]) => path === undefined || serves(document, path))
        .map(([label, page]) => (
          <a
            key={page}
            class="button"
            href={routeHash({ page })}
            aria-current={page === current ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
    </nav>
  )
}
