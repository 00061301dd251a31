import { useState } from 'preact/hooks'
import { readObject } from '../credentials/written-credential.js'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure, Section, Table } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { methodOf, useMethods } from './use-methods.js'

/** The parts of a DID document that a change needs. */
export interface ChangedDocument {
  id?: string
  service?: readonly Service[]
}

interface DidChangesProps {
  did: string
  document: ChangedDocument
  /** why nothing can be changed; absent: it can */
  whyNotNow: string | undefined
  onChanged: () => void
}

type Open = 'add' | 'edit' | 'deactivate' | { remove: Service }

/** The services of a DID, and changes of its document as far as its method allows them. */
export function DidChanges({ did, document, whyNotNow, onChanged }: DidChangesProps) {
  const whyNot = useWhyNot()
  const method = useMethods().find(({ name }) => name === methodOf(did))
  const [open, setOpen] = useState<Open>()
  const services = document.service ?? []
  const refused = (can: boolean | undefined, what: string) =>
    can === false ? `DIDs of did:${methodOf(did)} cannot be ${what} here.` : undefined
  const whyNotUpdate = whyNotNow ?? refused(method?.updatable, 'updated') ?? whyNot('did-update', did)
  const whyNotEnd =
    whyNotNow ?? refused(method?.deactivatable, 'deactivated') ?? whyNot('did-deactivate', did)
  const shared = { did, onClose: () => setOpen(undefined), onChanged }
  return (
    <Section
      title="Services and changes"
      actions={
        <div class="row">
          <ActionButton whyNot={whyNotUpdate} onClick={() => setOpen('add')}>
            Add a service
          </ActionButton>
          <ActionButton whyNot={whyNotUpdate} onClick={() => setOpen('edit')}>
            Edit the document
          </ActionButton>
          <ActionButton class="grave" whyNot={whyNotEnd} onClick={() => setOpen('deactivate')}>
            Deactivate
          </ActionButton>
        </div>
      }
    >
      <Reasons of={[whyNotUpdate, whyNotEnd]} />
      {services.length === 0 && <p class="hint">No services.</p>}
      {services.length > 0 && (
        <ServiceTable services={services} whyNot={whyNotUpdate} onRemove={(remove) => setOpen({ remove })} />
      )}
      {open === 'add' && <AddService {...shared} services={services} />}
      {open === 'edit' && <EditDocument {...shared} document={document} />}
      {open === 'deactivate' && <Deactivate {...shared} />}
      {typeof open === 'object' && <RemoveService {...shared} services={services} service={open.remove} />}
    </Section>
  )
}

function ServiceTable({
  services,
  whyNot,
  onRemove,
}: {
  services: readonly Service[]
  whyNot: string | undefined
  onRemove: (service: Service) => void
}) {
  const rows = services.map((service) => ({
    key: service.id,
    cells: [
      <span class="mono wrap">{service.id.replace(/^.*#/, '#')}</span>,
      service.type,
      <span class="mono wrap">{[service.serviceEndpoint].flat().map(endpointText).join(' ')}</span>,
      <ActionButton whyNot={whyNot} onClick={() => onRemove(service)}>
        Remove <span class="quiet">{service.id}</span>
      </ActionButton>,
    ],
  }))
  return <Table caption="Services of the DID" head={['Id', 'Type', 'Endpoint', 'Change']} rows={rows} />
}

const endpointText = (endpoint: unknown): string =>
  typeof endpoint === 'string' ? endpoint : JSON.stringify(endpoint)

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

/** Replaces parts of the document and announces it. */
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

function AddService(props: DialogProps & { services: readonly Service[] }) {
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

function RemoveService(props: DialogProps & { services: readonly Service[]; service: Service }) {
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

/** Edits everything that no form covers. */
function EditDocument(props: DialogProps & { document: object }) {
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

function Deactivate({ did, onClose, onChanged }: DialogProps) {
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
