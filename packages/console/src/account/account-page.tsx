import { Heading } from '../parts/pieces.js'
import type { Place } from '../routes.js'
import { serves, useSession } from '../session.js'
import { AccountNav } from './account-nav.js'
import { ApiKeys } from './api-keys.js'
import { Usage } from './usage.js'

/** The account itself: its API keys, and what it uses of its quotas and budgets. */
export function AccountPage({ place }: { place: Place }) {
  const { document } = useSession()
  return (
    <>
      <Heading title="Account">Account</Heading>
      <AccountNav current="account" />
      {serves(document, '/account/api-keys') && <ApiKeys place={place} />}
      {serves(document, '/account/usage') && <Usage />}
    </>
  )
}
