import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { ChangesPage } from './pages/changes-page.js'
import { CredentialsPage } from './pages/credentials-page.js'
import { AccountPage } from './account/account-page.js'
import { AuditPage } from './account/audit-page.js'
import { WebhooksPage } from './account/webhooks-page.js'
import { AccountsPage } from './operators/accounts-page.js'
import { HealthPage } from './operators/health-page.js'
import { SessionsPage } from './operators/sessions-page.js'
import { DidPage } from './pages/did-page.js'
import { DidsPage } from './pages/dids-page.js'
import { EventsPage } from './pages/events-page.js'
import { KeysPage } from './pages/keys-page.js'
import { ListPage } from './pages/list-page.js'
import { ListsPage } from './pages/lists-page.js'
import { SignInPage } from './pages/sign-in-page.js'
import { UnknownPage } from './pages/unknown-page.js'
import { JOBS_PATH } from './changes/use-job.js'
import { EVENTS_PATH } from './pages/events.js'
import { ACCOUNT_PATHS } from './account/account-nav.js'
import { limitsSentence, OPERATOR, whyNot } from './rights.js'
import { routePage, parseRoute, type Route } from './routes.js'
import {
  endSession,
  OF_COOKIE,
  serves,
  SessionContext,
  useSession,
  type Session,
  type SignedIn,
} from './session.js'

/** The whole page: signing in, or the view after that. */
export function App({ base }: { base: string }) {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [reason, setReason] = useState<string>()
  const [spoken, setSpoken] = useState('')
  const signOut = useCallback(
    (why?: string) => {
      const ended = signedIn?.apiKey === OF_COOKIE && why === undefined ? endSession(base) : Promise.resolve()
      // Whatever happens, the page is left.
      void ended.finally(() => {
        setReason(why)
        setSpoken('')
        setSignedIn(undefined)
      })
    },
    [base, signedIn],
  )
  const session = useMemo<Session | undefined>(
    () => signedIn && { base, ...signedIn, announce: setSpoken, signOut },
    [base, signedIn, signOut],
  )
  return (
    <>
      {session ? (
        <SessionContext.Provider value={session}>
          <Shell />
        </SessionContext.Provider>
      ) : (
        <SignInPage base={base} reason={reason} onSignIn={setSignedIn} />
      )}
      <p role="status" class="quiet">
        {spoken}
      </p>
    </>
  )
}

function Shell() {
  const session = useSession()
  const note = limitsSentence(session.limits)
  const [route, setRoute] = useState(() => routeHere(session))
  useEffect(() => {
    const follow = () => setRoute(routeHere(session))
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return (
    <>
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to the content
      </a>
      <Banner route={route} />
      <main id="content" tabIndex={-1}>
        {note && <p class="note">{note}</p>}
        <Page route={route} key={routePage(route)} />
      </main>
    </>
  )
}

/** Operators whose key may not read DIDs begin with accounts. */
function routeHere(session: Session): Route {
  const { hash } = window.location
  const begins = hash === '' && session.limits.scopes?.includes(OPERATOR) && whyNot(session, 'did-list')
  return begins ? { page: 'operators' } : parseRoute(hash)
}

/** The fragment of the address determines the page, so the link must not change it. */
function skipToContent(event: Event) {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Pages that are reached from others. */
const MENU_OF: Partial<Record<Route['page'], Route['page']>> = {
  did: 'dids',
  list: 'lists',
  webhooks: 'account',
  audit: 'account',
  health: 'operators',
  sessions: 'operators',
}

function Banner({ route }: { route: Route }) {
  const { signOut, document, limits } = useSession()
  const items: [label: string, page: Route['page']][] = [
    ['DIDs', 'dids'],
    ['Status lists', 'lists'],
    ['Keys', 'keys'],
    ['Credentials', 'credentials'],
    ...(serves(document, JOBS_PATH) ? [['Mass changes', 'changes'] as [string, Route['page']]] : []),
    ...(serves(document, EVENTS_PATH) ? [['Events', 'events'] as [string, Route['page']]] : []),
    ...(ACCOUNT_PATHS.some((path) => serves(document, path))
      ? [['Account', 'account'] as [string, Route['page']]]
      : []),
    ...(serves(document, '/operator/accounts') && limits.scopes?.includes(OPERATOR)
      ? [['Operators', 'operators'] as [string, Route['page']]]
      : []),
  ]
  const current = MENU_OF[route.page] ?? route.page
  return (
    <header class="banner">
      <span class="brand">
        <span aria-hidden="true" class="mark">
          V
        </span>
        Vidimus
      </span>
      <nav aria-label="Pages">
        {items.map(([label, page]) => (
          <a key={page} href={`#/${page}`} aria-current={page === current ? 'page' : undefined}>
            {label}
          </a>
        ))}
        {/* In a tab of its own: an API key is only in the memory of this one. */}
        <a href="../docs/" target="_blank">
          API
        </a>
      </nav>
      <button type="button" class="plain" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  )
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'dids':
      return <DidsPage search={route.search ?? {}} place={route.place ?? {}} />
    case 'did':
      return <DidPage did={route.did} place={route.place ?? {}} />
    case 'lists':
      return <ListsPage place={route.place ?? {}} />
    case 'list':
      return <ListPage list={route.list} />
    case 'credentials':
      return <CredentialsPage />
    case 'changes':
      return <ChangesPage job={route.job} />
    case 'keys':
      return <KeysPage search={route.search ?? {}} place={route.place ?? {}} />
    case 'account':
      return <AccountPage place={route.place ?? {}} />
    case 'webhooks':
      return <WebhooksPage place={route.place ?? {}} />
    case 'audit':
      return <AuditPage search={route.search ?? {}} place={route.place ?? {}} />
    case 'operators':
      return <AccountsPage search={route.search ?? {}} place={route.place ?? {}} />
    case 'health':
      return <HealthPage />
    case 'sessions':
      return <SessionsPage place={route.place ?? {}} />
    case 'events':
      return <EventsPage />
    case 'unknown':
      return <UnknownPage address={route.address} />
  }
}
