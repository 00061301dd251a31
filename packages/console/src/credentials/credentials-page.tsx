import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { GroupNav } from '../parts/group-nav.js'
import { FormField } from '../parts/form-field.js'
import { Failure, Heading, Section } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { CheckResults, type Verification } from './check-results.js'
import { IssueCredential } from './issue-credential.js'
import { PresentCredential } from './present-credential.js'
import { StatusChanges } from './status-change.js'
import { readCredential } from './written-credential.js'

/** Credentials: issued from a form, verified by pasting, revoked, and presented for tests. Nothing of them is kept. */
export function CredentialsPage() {
  const [text, setText] = useState('')
  return (
    <>
      <Heading title="Credentials">Credentials</Heading>
      <GroupNav current="credentials" />
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

/** One credential, issued just now or pasted: verified, revoked, suspended, reinstated. */
function CredentialDesk({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { client } = useSession()
  const whyNotVerify = useWhyNot()('credential-verify')
  const [result, setResult] = useState<Verification>()
  const [outcome, setOutcome] = useState<string>()
  const { run, busy, error, clear } = useAction(async () => {
    setResult(undefined)
    setOutcome(undefined)
    const named = readCredential(text)
    if ('problem' in named) throw new Error(named.problem)
    if ('credentialId' in named) {
      throw new Error('To verify a credential, paste all of it: its id alone says nothing.')
    }
    setResult(await client.post('/credential/verify', { body: named }))
  })
  const change = (next: string) => {
    // The results of another credential would look like its own.
    setResult(undefined)
    setOutcome(undefined)
    clear()
    onText(next)
  }
  return (
    <Section title="Verify, revoke, suspend">
      <FormField
        label="Credential"
        value={text}
        onChange={change}
        rows={6}
        hint="A JWT, an SD-JWT or JSON; or the id of a credential that was issued here, to change its status"
      />
      <div class="row">
        <ActionButton class="primary" whyNot={whyNotVerify} busy={busy} onClick={run}>
          {busy ? 'Verifying …' : 'Verify'}
        </ActionButton>
        <StatusChanges
          text={text}
          onChanged={(changed) => {
            setResult(undefined)
            setOutcome(changed)
          }}
        />
      </div>
      <Reasons of={[whyNotVerify]} />
      <Failure text={error} />
      {outcome && <p class="note">{outcome}</p>}
      {result && <CheckResults of={result} />}
    </Section>
  )
}
