import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Facts, Failure, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { listAddress, type ListName } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'

/** The credentials that were issued with an entry, by the register of the account. */
export function EntryHolders({ name, index }: { name: ListName; index: number }) {
  const whyNot = useWhyNot()('credential-entries')
  const [asked, setAsked] = useState(false)
  return (
    <>
      <h3>Credentials</h3>
      {asked ? (
        <Holders name={name} index={index} />
      ) : (
        <div class="row">
          <ActionButton whyNot={whyNot} onClick={() => setAsked(true)}>
            Who holds it
          </ActionButton>
        </div>
      )}
      <Reasons of={[whyNot]} />
    </>
  )
}

function Holders({ name, index }: { name: ListName; index: number }) {
  const { client } = useSession()
  const list = listAddress(name)
  const { value, error } = useLoaded(`holders ${list} ${index}`, () =>
    client.get('/credential/entries', { params: { query: { list, index } } }),
  )
  return (
    <div aria-live="polite">
      <Failure text={error} />
      {value?.entries.length === 0 && (
        <p class="hint">No credential in the register of this account has this index.</p>
      )}
      {value?.entries.map(({ credentialHash, issuedAt, expiresAt }) => (
        <Facts
          key={credentialHash}
          of={{
            Issued: <Time at={issuedAt} />,
            Expires: expiresAt ? <Time at={expiresAt} /> : 'never',
            'Hash of its id': <span class="mono wrap">{credentialHash}</span>,
          }}
        />
      ))}
    </div>
  )
}
