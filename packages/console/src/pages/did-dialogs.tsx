import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { routeHash } from '../routes.js'
import { useSession } from '../session.js'

const NETWORKS = ['testnet', 'mainnet'] as const
const METHOD_TYPES = ['Ed25519VerificationKey2020', 'JsonWebKey2020', 'Ed25519VerificationKey2018'] as const

/** Creates a DID with a key of its own, and opens its page. */
export function CreateDid({ onClose }: { onClose: () => void }) {
  const { client, announce, limits, localNetworks } = useSession()
  const networks = NETWORKS.filter((one) => limits.networks?.includes(one) ?? true)
  const [network, setNetwork] = useState<string>(networks[0] ?? NETWORKS[0])
  const [format, setFormat] = useState('uuid')
  const [methodType, setMethodType] = useState<string>(METHOD_TYPES[0])
  const [endpoint, setEndpoint] = useState('')
  const { run, busy, error } = useAction(async () => {
    const { did } = await client.post('/did/create', {
      body: {
        network: network as 'testnet' | 'mainnet',
        identifierFormatType: format as 'uuid' | 'base58btc',
        verificationMethodType: methodType as (typeof METHOD_TYPES)[number],
        ...(endpoint.trim() !== '' && {
          service: [{ idFragment: 'service-1', type: 'LinkedDomains', serviceEndpoint: [endpoint.trim()] }],
        }),
      },
    })
    onClose()
    announce(`Created ${did}.`)
    window.location.hash = routeHash({ page: 'did', did })
  })
  return (
    <Dialog title="Create a DID" submit="Create" busy={busy} onClose={onClose} onSubmit={run}>
      <FormField
        label="Network"
        value={network}
        onChange={setNetwork}
        choices={networks}
        {...(localNetworks.includes(network) && {
          hint: 'On the embedded ledger of this service, not on a public network',
        })}
      />
      <FormField label="Identifier" value={format} onChange={setFormat} choices={['uuid', 'base58btc']} />
      <FormField
        label="Verification method"
        value={methodType}
        onChange={setMethodType}
        choices={METHOD_TYPES}
      />
      <FormField
        label="Linked domain"
        value={endpoint}
        onChange={setEndpoint}
        placeholder="https://example.com"
        hint="Optional; added to the DID document as a service"
      />
      <Failure text={error} />
    </Dialog>
  )
}

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
