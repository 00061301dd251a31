import { useState } from 'preact/hooks'
import { CredentialDesk } from '../credentials/credential-desk.js'
import { IssueCredential } from '../credentials/issue-credential.js'
import { PresentCredential } from '../credentials/present-credential.js'
import { Heading } from '../parts/pieces.js'

/** Credentials: issued from a form, verified by pasting, revoked, and presented for tests. Nothing of them is kept. */
export function CredentialsPage() {
  const [text, setText] = useState('')
  return (
    <>
      <Heading title="Credentials">Credentials</Heading>
      <p class="lead">
        Issue a credential, or paste one. The service keeps no credentials: copy what you issue before you
        leave this page.
      </p>
      <div class="columns">
        <IssueCredential onIssued={setText} />
        <div class="stack">
          <CredentialDesk text={text} onText={setText} />
          <PresentCredential text={text} />
        </div>
      </div>
    </>
  )
}
