import { routeHash, type Route } from '../routes.js'
import { serves, useSession } from '../session.js'

const PAGES = [
  ['API keys and usage', { page: 'account' }, '/account/api-keys'],
  ['Webhooks', { page: 'webhooks' }, '/account/webhooks'],
  ['Audit trail', { page: 'audit' }, '/account/audit'],
] as const satisfies readonly (readonly [string, Route, string])[]

/** The operations of which one must be served for there to be anything to show. */
export const ACCOUNT_PATHS: readonly string[] = ['/account/usage', ...PAGES.map(([, , path]) => path)]

/** The pages about the account itself. */
export function AccountNav({ current }: { current: Route['page'] }) {
  const { document } = useSession()
  return (
    <nav class="row" aria-label="Account">
      {PAGES.filter(([, { page }, path]) => page === 'account' || serves(document, path)).map(
        ([label, route]) => (
          <a
            key={label}
            class="button"
            href={routeHash(route)}
            aria-current={route.page === current ? 'page' : undefined}
          >
            {label}
          </a>
        ),
      )}
    </nav>
  )
}
