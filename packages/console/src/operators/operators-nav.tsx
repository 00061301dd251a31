import { routeHash, type Route } from '../routes.js'

const PAGES = [
  ['Accounts', { page: 'operators' }],
  ['Sessions', { page: 'sessions' }],
  ['Health', { page: 'health' }],
] as const satisfies readonly (readonly [string, Route])[]

/** The pages about the service as a whole. */
export function OperatorsNav({ current }: { current: Route['page'] }) {
  return (
    <nav class="row" aria-label="Operators">
      {PAGES.map(([label, route]) => (
        <a
          key={label}
          class="button"
          href={routeHash(route)}
          aria-current={route.page === current ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}
