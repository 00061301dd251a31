import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { routeHash } from '../routes.js'
import { useSession } from '../session.js'

/** Takes a DID that exists into the account, with its key. */
export function ImportDid({ onClose }: { onClose: () => void }) {
  const { client, announce } = useSession()
  const [did, setDid] = useState('')
  const [privateKeyHex, setPrivateKeyHex] = useState('')
  const { run, busy, error } = useAction(async () => {
    const key = privateKeyHex.trim()
    const imported = await client.post('/did/import', {
      body: {
        did: did.trim(),
        ...(key !== '' && { keys: [{ type: 'Ed25519' as const, privateKeyHex: key }] }),
      },
    })
    onClose()
    announce(`Imported ${did}.`)
    window.location.hash = routeHash({ page: 'did', did: imported.did })
  })
  return (
    <Dialog title="Import a DID" submit="Import" busy={busy} onClose={onClose} onSubmit={run}>
      <FormField label="DID" value={did} onChange={setDid} required placeholder="did:cheqd:testnet:…" />
      <FormField
        label="Private key (Ed25519, hex)"
        type="password"
        value={privateKeyHex}
        onChange={setPrivateKeyHex}
        hint="Its public key must be in the DID document. Leave it empty if the account already holds the key."
      />
      <Failure text={error} />
    </Dialog>
  )
}
