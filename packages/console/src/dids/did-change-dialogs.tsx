import { useState } from 'preact/hooks'
import { readObject } from '../credentials/written-credential.js'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

/** A service as a DID document has it. */
export interface Service {
  id: string
  type: string
  serviceEndpoint: unknown
}

interface DialogProps {
  did: string
  onClose: () => void
  onChanged: () => void
}

/** Replaces parts of the document, and says so. */
function useUpdate({ did, onClose, onChanged }: DialogProps) {
  const { client, announce } = useSession()
  return async (parts: Record<string, unknown>) => {
    await client.post('/did/update', { body: { did, ...parts } })
    onClose()
    announce('The DID document was updated.')
    onChanged()
  }
}

/** The API takes endpoints as a list of texts. */
const asSent = (service: Service) => ({ ...service, serviceEndpoint: [service.serviceEndpoint].flat() })

export function AddService(props: DialogProps & { services: readonly Service[] }) {
  const update = useUpdate(props)
  const [idFragment, setIdFragment] = useState('')
  const [type, setType] = useState('LinkedDomains')
  const [endpoints, setEndpoints] = useState('')
  const { run, busy, error } = useAction(() => {
    const serviceEndpoint = endpoints.split(/\s+/).filter((one) => one !== '')
    return update({ service: [...props.services.map(asSent), { idFragment, type, serviceEndpoint }] })
  })
  return (
    <Dialog title="Add a service" submit="Add" busy={busy} onClose={props.onClose} onSubmit={run}>
      <FormField
        label="Id"
        value={idFragment}
        onChange={setIdFragment}
        required
        placeholder="service-1"
        hint="The part after # of its id"
      />
      <FormField label="Type" value={type} onChange={setType} required />
      <FormField
        label="Endpoints"
        value={endpoints}
        onChange={setEndpoints}
        rows={2}
        required
        placeholder="https://example.com"
        hint="One in each line"
      />
      <Failure text={error} />
    </Dialog>
  )
}

export function RemoveService(props: DialogProps & { services: readonly Service[]; service: Service }) {
  const update = useUpdate(props)
  const { service, services, onClose } = props
  const { run, busy, error } = useAction(() =>
    update({ service: services.filter(({ id }) => id !== service.id).map(asSent) }),
  )
  return (
    <Dialog title="Remove the service" submit="Remove" grave busy={busy} onClose={onClose} onSubmit={run}>
      <p class="mono wrap">{service.id}</p>
      <p>It is no longer in the DID document. Earlier versions still show it.</p>
      <Failure text={error} />
    </Dialog>
  )
}

/** For everything that has no form of its own. */
export function EditDocument(props: DialogProps & { document: object }) {
  const update = useUpdate(props)
  const [text, setText] = useState(() => JSON.stringify(props.document, null, 2))
  const { run, busy, error } = useAction(() => {
    const didDocument = readObject(text)
    if (!didDocument) return Promise.reject(new Error('This is not valid JSON.'))
    return update({ didDocument })
  })
  return (
    <Dialog title="Edit the DID document" submit="Publish" busy={busy} onClose={props.onClose} onSubmit={run}>
      <FormField
        label="DID document"
        value={text}
        onChange={setText}
        rows={16}
        required
        hint="The whole document, as it will be published. New keys must belong to the account"
      />
      <Failure text={error} />
    </Dialog>
  )
}

export function Deactivate({ did, onClose, onChanged }: DialogProps) {
  const { client, announce } = useSession()
  const [typed, setTyped] = useState('')
  const { run, busy, error } = useAction(async () => {
    if (typed.trim() !== did) throw new Error('Type the whole DID to confirm.')
    await client.post('/did/deactivate/{did}', { params: { path: { did } }, body: {} })
    onClose()
    announce('The DID is deactivated.')
    onChanged()
  })
  return (
    <Dialog
      title="Deactivate the DID"
      submit="Deactivate for ever"
      grave
      busy={busy}
      onClose={onClose}
      onSubmit={run}
    >
      <p class="note failure">
        This cannot be undone. The DID can no longer be changed, sign or publish: its status lists stay as
        they are, and nothing in them can be revoked any more.
      </p>
      <FormField
        label="Type the DID to confirm"
        value={typed}
        onChange={setTyped}
        required
        placeholder={did}
      />
      <Failure text={error} />
    </Dialog>
  )
}
