import type { AnswerOf } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { counted, Facts, Failure, Section, shortened, Time } from '../parts/pieces.js'
import { useAction, useLoaded, usePolling } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { noneIfUnknown } from './held.js'

type Rotation = AnswerOf<'/did/rotations/{did}', 'get'>

const GOES_ON: readonly Rotation['state'][] = ['adding', 'signing', 'removing']

/** The latest rotation of the DID's signing key with its progress, and how to begin one. */
export function KeyRotation({ did, whyNotNow }: { did: string; whyNotNow: string | undefined }) {
  const { client } = useSession()
  const whyNot = useWhyNot()
  const [rotating, setRotating] = useState(false)
  const loaded = useLoaded<Rotation | null>(`rotation ${did}`, () =>
    client.get('/did/rotations/{did}', { params: { path: { did } } }).catch(noneIfUnknown),
  )
  const { value, error, reload } = loaded
  usePolling(loaded, (rotation) => rotation !== null && GOES_ON.includes(rotation.state))
  const whyNotRotate = whyNotNow ?? whyNot('did-rotate-key', did)
  return (
    <Section
      title="Key rotation"
      actions={
        <ActionButton whyNot={whyNotRotate} onClick={() => setRotating(true)}>
          Rotate the signing key
        </ActionButton>
      }
    >
      <Reasons of={[whyNotRotate]} />
      <Failure text={error} />
      {value === null && <p class="hint">The signing key has not been rotated yet.</p>}
      {value && <Progress rotation={value} />}
      {rotating && <Rotate did={did} onClose={() => setRotating(false)} onDone={reload} />}
    </Section>
  )
}

function Progress({ rotation }: { rotation: Rotation }) {
  const { key, formerKey, signedLists, startedAt, removesAt, endedAt, failure } = rotation
  const facts = {
    State: sentenceOfState(rotation),
    'Signed again': counted(signedLists, 'status list'),
    'New key': <span class="mono">{shortened(key)}</span>,
    'Former key': <span class="mono">{shortened(formerKey)}</span>,
    Started: <Time at={startedAt} />,
    'Former key leaves': removesAt && <Time at={removesAt} />,
    Ended: endedAt && <Time at={endedAt} />,
    Problem: failure,
  }
  return <Facts of={facts} live />
}

function sentenceOfState({ state, removesAt }: Rotation): string {
  switch (state) {
    case 'adding':
      return 'The new key is being added to the DID document.'
    case 'signing':
      return 'The status lists are being signed again.'
    case 'waiting':
      return removesAt === undefined
        ? 'The new key signs. The former one stays until you rotate with a grace period.'
        : 'The new key signs. The former one stays for what it has signed.'
    case 'removing':
      return 'The former key is being removed.'
    case 'done':
      return 'Done.'
    case 'failed':
      return 'Failed.'
  }
}

/** Begins a rotation, or sets when the former key of one leaves the document. */
function Rotate({ did, onClose, onDone }: { did: string; onClose: () => void; onDone: () => void }) {
  const { client, announce } = useSession()
  const [gracePeriod, setGracePeriod] = useState('')
  const { run, busy, error } = useAction(async () => {
    const period = gracePeriod.trim()
    await client.post('/did/rotate-key', { body: { did, ...(period !== '' && { gracePeriod: period }) } })
    onClose()
    announce('The rotation has begun.')
    onDone()
  })
  return (
    <Dialog title="Rotate the signing key" submit="Rotate" busy={busy} onClose={onClose} onSubmit={run}>
      <p>
        A new key is created. It signs all status lists of the DID again, and whatever is issued from now on.
      </p>
      <FormField
        label="Grace period"
        value={gracePeriod}
        onChange={setGracePeriod}
        placeholder="P90D"
        hint="How long the former key stays in the document, such as P90D or PT0S. Empty: until the last known credential that it signed has expired"
      />
      <Failure text={error} />
    </Dialog>
  )
}
