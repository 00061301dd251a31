import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Section, Table } from '../parts/pieces.js'
import { useWhyNot } from '../session.js'
import { AddService, Deactivate, EditDocument, RemoveService, type Service } from './did-change-dialogs.js'
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
