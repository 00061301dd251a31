import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { AccountPage } from './account/account-page.js'
import { AuditPage } from './account/audit-page.js'
import { WebhooksPage } from './account/webhooks-page.js'
import { ChangesPage } from './changes/changes-page.js'
import { JOBS_PATH } from './changes/use-job.js'
import { CredentialsPage } from './credentials/credentials-page.js'
import { IssuedPage } from './credentials/issued-page.js'
import { DidPage } from './dids/did-page.js'
import { DidsPage } from './dids/dids-page.js'
import { EVENTS_PATH } from './events/events.js'
import { EventsPage } from './events/events-page.js'
import { KeysPage } from './keys/keys-page.js'
import { AccountsPage } from './operators/accounts-page.js'
import { HealthPage } from './operators/health-page.js'
import { SessionsPage } from './operators/sessions-page.js'
import { Heading } from './parts/pieces.js'
import { limitsSentence, OPERATOR, whyNot } from './rights.js'
import { parseRoute, routePage, type Route } from './routes.js'
import {
  endSession,
  OF_COOKIE,
  serves,
  SessionContext,
  useSession,
  type Session,
  type SignedIn,
} from './session.js'
import { SignInPage } from './sign-in-page.js'
import { ListsPage } from './status-list/lists-page.js'
import { StatusListPage } from './status-list/status-list-page.js'
import { WorkPage } from './work/work-page.js'

/** The whole page: signing in, or the view after that. */
export function App({ base }: { base: string }) {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [reason, setReason] = useState<string>()
  const [spoken, setSpoken] = useState('')
  const signOut = useCallback(
    (why?: string) => {
      const ended = signedIn?.apiKey === OF_COOKIE && why === undefined ? endSession(base) : Promise.resolve()
      // Signs out even if the request fails.
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

/** Operators whose key may not read DIDs start at the accounts. */
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

/** The account page needs at least one of these. */
const ACCOUNT_PATHS = ['/account/usage', '/account/api-keys', '/account/webhooks', '/account/audit']

function Banner({ route }: { route: Route }) {
  const { signOut, document, limits } = useSession()
  const items: [label: string, page: Route['page']][] = [
    ['DIDs', 'dids'],
    ['Status lists', 'lists'],
    ['Keys', 'keys'],
    ['Credentials', 'credentials'],
    ...(serves(document, JOBS_PATH) ? [['Mass changes', 'changes'] as [string, Route['page']]] : []),
    ...(serves(document, '/work') ? [['Work', 'work'] as [string, Route['page']]] : []),
    ...(serves(document, EVENTS_PATH) ? [['Events', 'events'] as [string, Route['page']]] : []),
    ...(ACCOUNT_PATHS.some((path) => serves(document, path))
      ? [['Account', 'account'] as [string, Route['page']]]
      : []),
    ...(serves(document, '/operator/accounts') && limits.scopes?.includes(OPERATOR)
      ? [['Operators', 'operators'] as [string, Route['page']]]
      : []),
  ]
  // The first segment of an address is its menu item.
  const [, current] = routePage(route).split('/')
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
      return <DidsPage route={route} />
    case 'did':
      return <DidPage route={route} />
    case 'lists':
      return <ListsPage route={route} />
    case 'list':
      return <StatusListPage list={route.list} />
    case 'credentials':
      return <CredentialsPage />
    case 'issued':
      return <IssuedPage route={route} />
    case 'changes':
      return <ChangesPage route={route} />
    case 'work':
      return <WorkPage route={route} />
    case 'all-work':
      return <WorkPage route={route} isOperator />
    case 'keys':
      return <KeysPage route={route} />
    case 'account':
      return <AccountPage route={route} />
    case 'webhooks':
      return <WebhooksPage route={route} />
    case 'audit':
      return <AuditPage route={route} />
    case 'operators':
      return <AccountsPage route={route} />
    case 'health':
      return <HealthPage />
    case 'sessions':
      return <SessionsPage route={route} />
    case 'events':
      return <EventsPage />
    case 'unknown':
      return (
        <>
          <Heading title="Not found">Not found</Heading>
          <p class="note">
            There is no such page: <span class="mono wrap">{route.address}</span>.{' '}
            <a href="#/dids">Go to the DIDs</a>
          </p>
        </>
      )
  }
}
