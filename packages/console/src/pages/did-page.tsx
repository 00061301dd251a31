import { ApiError } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { isHeld } from './held.js'
import { CreateList } from './list-dialog.js'
import { counted, Failure, Heading, Json, Section, Table, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { hashOf } from '../routes.js'
import { useSession } from '../session.js'

/** A DID: what the account holds of it, what it publishes, and its document. */
export function DidPage({ did }: { did: string }) {
  const { client } = useSession()
  const held = useLoaded(`held ${did}`, () =>
    client.get('/did/read/{did}', { params: { path: { did } } }).catch(noneIfUnknown),
  )
  const resolved = useLoaded(`resolved ${did}`, () =>
    client.get('/did/search/{did}', { params: { path: { did } } }),
  )
  return (
    <>
      <nav aria-label="Way back" class="crumbs">
        <a href="#/dids">DIDs</a>
      </nav>
      <Heading title="DID">
        <span class="mono wrap">{did}</span>
      </Heading>
      {held.value === null && (
        <p class="note">This account does not hold this DID: it can be read, but not changed.</p>
      )}
      <Lists did={did} own={isHeld(held)} />
      <Section title="Keys">
        <Failure text={held.error} />
        {held.value && <Keys value={held.value} />}
        {held.value === null && <p class="hint">The account holds no key of it.</p>}
      </Section>
      <Section title="DID document">
        <Failure text={resolved.error} />
        {resolved.value && <Document value={resolved.value} />}
      </Section>
    </>
  )
}

const noneIfUnknown = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

function Keys({
  value: { keys, controllerKeyId },
}: {
  value: { keys: { kid: string; type: string; kms: string }[]; controllerKeyId?: string }
}) {
  return (
    <Table caption="Keys of the DID, public halves" head={['Public key', 'Type', 'Held by', 'Role']}>
      {keys.map(({ kid, type, kms }) => (
        <tr key={kid}>
          <td class="mono">{kid}</td>
          <td>{type}</td>
          <td>{kms}</td>
          <td>{kid === controllerKeyId ? 'controls the DID' : ''}</td>
        </tr>
      ))}
    </Table>
  )
}

function Document({
  value,
}: {
  value: { didDocument: unknown; didDocumentMetadata: Record<string, unknown> }
}) {
  const { versionId, created, updated, deactivated } = value.didDocumentMetadata
  const facts = { Version: versionId, Created: created, Updated: updated, Deactivated: deactivated }
  return (
    <>
      <dl class="facts">
        {Object.entries(facts).map(([name, fact]) => {
          const shown = typeof fact === 'string' ? fact : fact === true ? 'yes' : undefined
          return (
            shown !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="mono wrap">{shown}</dd>
              </div>
            )
          )
        })}
      </dl>
      <Json value={value.didDocument} label="DID document" />
    </>
  )
}

function Lists({ did, own }: { did: string; own: boolean }) {
  const { client } = useSession()
  const [creating, setCreating] = useState(false)
  const { value, error } = useLoaded(`lists ${did}`, () =>
    client.get('/credential-status/list', { params: { query: { did, limit: 1000 } } }),
  )
  return (
    <Section
      title={value ? counted(value.total, 'status list') : 'Status lists'}
      actions={
        own && (
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            Create a status list
          </button>
        )
      }
    >
      <Failure text={error} />
      {value?.total === 0 && <p class="hint">It has published none.</p>}
      {value && value.total > 0 && (
        <Table caption="Status lists of the DID" head={['Name', 'Type', 'Versions', 'Newest (UTC)']}>
          {value.statusLists.map(({ statusListName, listType, versions, resourceMetadata }) => {
            const { resourceType, created, resourceId } = resourceMetadata
            const list = { did, listType, resourceType, statusListName }
            return (
              <tr key={resourceId}>
                <td>
                  <a href={hashOf({ page: 'list', list })}>{statusListName}</a>
                </td>
                <td>{listType === 'StatusList2021' ? resourceType : listType}</td>
                <td class="number">{versions}</td>
                <td>
                  <Time at={created} />
                </td>
              </tr>
            )
          })}
        </Table>
      )}
      {creating && <CreateList did={did} onClose={() => setCreating(false)} />}
    </Section>
  )
}
