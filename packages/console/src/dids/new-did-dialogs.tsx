import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { routeHash } from '../routes.js'
import { useSession } from '../session.js'
import { useMethods } from './use-methods.js'

const CHEQD = 'did:cheqd'
const NETWORKS = ['testnet', 'mainnet'] as const
const METHOD_TYPES = ['Ed25519VerificationKey2020', 'JsonWebKey2020', 'Ed25519VerificationKey2018'] as const
const KEY_TYPES = ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'] as const

interface Fields {
  network: string
  format: string
  methodType: string
  endpoint: string
  did: string
  keyType: string
}

/** Creates a DID of any configured provider with a key of its own, and opens its page. */
export function CreateDid({ onClose }: { onClose: () => void }) {
  const { client, announce, limits } = useSession()
  const providers = useMethods().flatMap(({ creatable, provider }) => (creatable ? [provider] : []))
  const networks = NETWORKS.filter((one) => limits.networks?.includes(one) ?? true)
  const [provider, setProvider] = useState(CHEQD)
  const [fields, setFields] = useState<Fields>({
    network: networks[0] ?? NETWORKS[0],
    format: 'uuid',
    methodType: METHOD_TYPES[0],
    endpoint: '',
    did: '',
    keyType: KEY_TYPES[0],
  })
  const of = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
  })
  const { run, busy, error } = useAction(async () => {
    const body = provider === CHEQD ? cheqdRequest(fields) : otherRequest(provider, fields)
    const { did } = await client.post('/did/create', { body })
    onClose()
    announce(`Created ${did}.`)
    window.location.hash = routeHash({ page: 'did', did })
  })
  return (
    <Dialog title="Create a DID" submit="Create" busy={busy} onClose={onClose} onSubmit={run}>
      {providers.length > 1 && (
        <FormField label="Provider" value={provider} onChange={setProvider} choices={providers} />
      )}
      {provider === CHEQD ? (
        <CheqdFields of={of} networks={networks} network={fields.network} />
      ) : (
        <>
          <FormField
            label="DID"
            {...of('did')}
            placeholder="did:web:example.com"
            hint="Only for methods whose DIDs you choose, such as did:web"
          />
          <FormField label="Type of the key" {...of('keyType')} choices={KEY_TYPES} />
        </>
      )}
      <Failure text={error} />
    </Dialog>
  )
}

type FieldOf = (name: keyof Fields) => { value: string; onChange: (value: string) => void }

function CheqdFields({
  of,
  networks,
  network,
}: {
  of: FieldOf
  networks: readonly string[]
  network: string
}) {
  const { localNetworks } = useSession()
  const local = 'On the embedded ledger of this service, not on a public network'
  return (
    <>
      <FormField
        label="Network"
        {...of('network')}
        choices={networks}
        {...(localNetworks.includes(network) && { hint: local })}
      />
      <FormField label="Identifier" {...of('format')} choices={['uuid', 'base58btc']} />
      <FormField label="Verification method" {...of('methodType')} choices={METHOD_TYPES} />
      <FormField
        label="Linked domain"
        {...of('endpoint')}
        placeholder="https://example.com"
        hint="Optional; added to the DID document as a service"
      />
    </>
  )
}

function cheqdRequest({ network, format, methodType, endpoint }: Fields) {
  const serviceEndpoint = [endpoint.trim()]
  return {
    network: network as (typeof NETWORKS)[number],
    identifierFormatType: format as 'uuid' | 'base58btc',
    verificationMethodType: methodType as (typeof METHOD_TYPES)[number],
    ...(endpoint.trim() !== '' && {
      service: [{ idFragment: 'service-1', type: 'LinkedDomains', serviceEndpoint }],
    }),
  }
}

const otherRequest = (providerId: string, { did, keyType }: Fields) => ({
  providerId,
  options: { keyType: keyType as (typeof KEY_TYPES)[number] },
  ...(did.trim() !== '' && { didDocument: { id: did.trim() } }),
})

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
