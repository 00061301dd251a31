import { Listing, type Action } from '../parts/list-page.js'
import { LocalNote } from '../parts/local-note.js'
import { Facts, Failure, Heading, Json, Section, Table } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { cheqdNetwork } from '../rights.js'
import type { TableRoute } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { CreateList } from '../status-list/list-dialog.js'
import { useLists } from '../status-list/lists-page.js'
import { DidChanges } from './did-changes.js'
import { DocumentVersions } from './document-versions.js'
import { useHeld, type HeldDid } from './held.js'
import { KeyRotation } from './key-rotation.js'

const LISTS_PER_PAGE = 100

/** How every DID begins. */
const DID = /^did:[a-z0-9]+:./

type DidRoute = Extract<TableRoute, { page: 'did' }>

/** A DID, or a message if it is not one. */
export function DidPage({ route }: { route: DidRoute }) {
  const { did } = route
  if (DID.test(did)) return <KnownDid route={route} />
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
function KnownDid({ route }: { route: DidRoute }) {
  const { did } = route
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
      {mayPublish && <Lists route={route} own={held.mayChange} deactivated={deactivated} />}
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
    <Table caption="Public keys of the DID" head={['Public key', 'Type', 'Key store', 'Role']} rows={rows} />
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

/** @param own - the account may hold the DID, and publish lists of it */
function Lists({ route, own, deactivated }: { route: DidRoute; own: boolean; deactivated: boolean }) {
  const { did } = route
  const whyNotCreate = deactivated
    ? 'The DID is deactivated: it can no longer publish.'
    : useWhyNot()('create-status-list', did)
  const create: Action = {
    label: 'Create a status list',
    operation: 'create-status-list',
    whyNot: whyNotCreate,
    primary: true,
    dialog: ({ onClose }) => <CreateList did={did} onClose={onClose} />,
  }
  return (
    <Listing
      {...useLists(did)}
      route={route}
      caption="Status lists of the DID"
      actions={own ? [create] : []}
      size={LISTS_PER_PAGE}
    />
  )
}
