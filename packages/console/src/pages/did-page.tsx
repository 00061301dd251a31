import { useState } from 'preact/hooks'
import { DidChanges } from '../dids/did-changes.js'
import { DocumentVersions } from '../dids/document-versions.js'
import { useHeld, type HeldDid } from './held.js'
import { KeyRotation } from './key-rotation.js'
import { CreateList } from './list-dialog.js'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { LocalNote } from '../parts/local-note.js'
import { asked, Paging, totalOf } from '../parts/paging.js'
import { Facts, Failure, Heading, Json, Section, Table } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { cheqdNetwork } from '../rights.js'
import { routeHash, type Place } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { ListTable } from '../status-list/list-table.js'

const LISTS_PER_PAGE = 100

/** The beginning of every DID. */
const DID = /^did:[a-z0-9]+:./

/** A DID, or a message if it is not one. */
export function DidPage({ did, place }: { did: string; place: Place }) {
  if (DID.test(did)) return <KnownDid did={did} place={place} />
  return (
    <>
      <WayBack />
      <Heading title="DID">
        <span class="mono wrap">{did}</span>
      </Heading>
      <Failure text="This is not a DID: a DID begins with did:, its method and another colon." />
    </>
  )
}

const WayBack = () => (
  <nav aria-label="Way back" class="crumbs">
    <a href="#/dids">DIDs</a>
  </nav>
)

/** The account's data about a DID, its publications, and its document. */
function KnownDid({ did, place }: { did: string; place: Place }) {
  const { client } = useSession()
  const held = useHeld(did)
  const whyNot = useWhyNot()
  const resolved = useLoaded(`resolved ${did}`, () =>
    client.get('/did/search/{did}', { params: { path: { did } } }),
  )
  const deactivated = resolved.value?.didDocumentMetadata.deactivated === true
  // Only of methods whose documents have versions.
  const versionId = resolved.value?.didDocumentMetadata.versionId
  const network = cheqdNetwork(did)
  // A DID that nobody resolves has no lists; an API key that may not read documents may still be one for them.
  const mayPublish =
    network !== undefined && (resolved.value !== undefined || whyNot('did-search') !== undefined)
  return (
    <>
      <WayBack />
      <Heading title="DID">
        <span class="mono wrap">{did}</span>
      </Heading>
      {held.value === null && resolved.value && (
        <p class="note">This account does not hold this DID: you can view it, but not change it.</p>
      )}
      {resolved.value && <LocalNote network={network ?? ''} />}
      {mayPublish && <Lists did={did} place={place} own={held.mayChange} deactivated={deactivated} />}
      <Section title="Keys">
        <Failure text={held.error} />
        {held.value && <Keys value={held.value} />}
        {held.value === null && <p class="hint">The account holds no key of this DID.</p>}
      </Section>
      {network !== undefined && held.value && (
        <KeyRotation did={did} whyNotNow={deactivated ? 'The DID is deactivated.' : undefined} />
      )}
      {held.value && resolved.value && (
        <DidChanges
          did={did}
          document={resolved.value.didDocument ?? {}}
          whyNotNow={deactivated ? 'The DID is deactivated.' : undefined}
          onChanged={resolved.reload}
        />
      )}
      <Section title="DID document">
        <Failure text={resolved.error} />
        {resolved.value && <Document value={resolved.value} />}
      </Section>
      {typeof versionId === 'string' && <DocumentVersions did={did} newest={versionId} />}
    </>
  )
}

function Keys({ value: { keys, controllerKeyId } }: { value: HeldDid }) {
  const rows = keys.map(({ kid, type, kms }) => ({
    key: kid,
    cells: [
      <span class="mono">{kid}</span>,
      type,
      kms,
      kid === controllerKeyId ? 'controls the DID' : undefined,
    ],
  }))
  return (
    <Table caption="Public keys of the DID" head={['Public key', 'Type', 'Held by', 'Role']} rows={rows} />
  )
}

function Document({
  value,
}: {
  value: { didDocument: unknown; didDocumentMetadata: Record<string, unknown> }
}) {
  const { versionId, created, updated, deactivated } = value.didDocumentMetadata
  const text = (fact: unknown) => (typeof fact === 'string' ? fact : undefined)
  const facts = {
    Version: text(versionId),
    Created: text(created),
    Updated: text(updated),
    Deactivated: deactivated === true ? 'yes' : text(deactivated),
  }
  return (
    <>
      <Facts of={facts} exact />
      <Json value={value.didDocument} label="DID document as JSON" />
    </>
  )
}

interface ListsProps {
  did: string
  place: Place
  /** the account may hold the DID, and publish lists of it */
  own: boolean
  deactivated: boolean
}

function Lists({ did, place, own, deactivated }: ListsProps) {
  const { client } = useSession()
  const whyNot = useWhyNot()
  const [creating, setCreating] = useState(false)
  const { value, error } = useLoaded(`lists ${did} ${JSON.stringify(place)}`, () =>
    client.get('/credential-status/list', { params: { query: { did, ...asked(place, LISTS_PER_PAGE) } } }),
  )
  const whyNotCreate = deactivated
    ? 'The DID is deactivated: it can no longer publish.'
    : whyNot('create-status-list', did)
  return (
    <Section
      title={value ? totalOf(value, 'status list') : 'Status lists'}
      actions={
        own && (
          <ActionButton class="primary" whyNot={whyNotCreate} onClick={() => setCreating(true)}>
            Create a status list
          </ActionButton>
        )
      }
    >
      {own && <Reasons of={[whyNotCreate]} />}
      <Failure text={error} />
      {value?.total === 0 && <p class="hint">No status lists yet.</p>}
      {value && value.statusLists.length > 0 && (
        <ListTable caption="Status lists of the DID" lists={value.statusLists} />
      )}
      {value && (
        <Paging
          place={place}
          size={LISTS_PER_PAGE}
          facts={{ ...value, rows: value.statusLists.length }}
          hrefOf={(next) => routeHash({ page: 'did', did, place: next })}
        />
      )}
      {creating && <CreateList did={did} onClose={() => setCreating(false)} />}
    </Section>
  )
}
