import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { FormField } from '../parts/form-field.js'
import { Failure, Json, Section } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { CheckResults, type Verification } from './check-results.js'
import { handedOut, readCredential, readObject } from './written-credential.js'

/** Presents the credential as its holder would, for tests, and verifies the presentation. */
export function PresentCredential({ text }: { text: string }) {
  const { client, announce } = useSession()
  const whyNot = useWhyNot()
  const [whyNotCreate, whyNotVerify] = [whyNot('presentation-create'), whyNot('presentation-verify')]
  const [holderDid, setHolderDid] = useState('')
  const [audience, setAudience] = useState('')
  const [nonce, setNonce] = useState('')
  const [presentation, setPresentation] = useState<string>()
  const [result, setResult] = useState<Verification>()
  const expected = {
    ...(audience.trim() !== '' && { audience: audience.trim() }),
    ...(nonce.trim() !== '' && { nonce: nonce.trim() }),
  }
  const making = useAction(async () => {
    setPresentation(undefined)
    setResult(undefined)
    const named = readCredential(text)
    if (!('credential' in named)) throw new Error('Paste the whole credential above first.')
    const holder = holderDid.trim()
    const { vp, proof } = await client.post('/presentation/create', {
      body: { credentials: [named.credential], ...(holder !== '' && { holderDid: holder }), ...expected },
    })
    setPresentation(proof.jwt ?? handedOut(vp ?? {}))
    announce('The presentation was created.')
  })
  const checking = useAction(async () => {
    setResult(undefined)
    const sent = presentation ?? ''
    setResult(
      await client.post('/presentation/verify', {
        body: { presentation: readObject(sent) ?? sent, ...expected },
      }),
    )
  })
  return (
    <Section title="Present for testing">
      <p class="hint">
        Signs a presentation of the credential above with a key in custody. In production the holder does this
        in a wallet.
      </p>
      <FormField
        label="Holder"
        value={holderDid}
        onChange={setHolderDid}
        placeholder="did:…"
        hint="A DID of this account; empty: the subject of the credential"
      />
      <FormField label="Audience" value={audience} onChange={setAudience} hint="Optional: the verifier" />
      <FormField
        label="Nonce"
        value={nonce}
        onChange={setNonce}
        hint="Optional: the challenge of the verifier"
      />
      <div class="row">
        <ActionButton whyNot={whyNotCreate} busy={making.busy} onClick={making.run}>
          {making.busy ? 'Working …' : 'Present'}
        </ActionButton>
        {presentation !== undefined && (
          <ActionButton whyNot={whyNotVerify} busy={checking.busy} onClick={checking.run}>
            {checking.busy ? 'Verifying …' : 'Verify the presentation'}
          </ActionButton>
        )}
      </div>
      <Reasons of={[whyNotCreate, presentation === undefined ? undefined : whyNotVerify]} />
      <Failure text={making.error ?? checking.error} />
      {presentation !== undefined && <Json value={presentation} label="Presentation" />}
      {result && <CheckResults of={result} />}
    </Section>
  )
}
