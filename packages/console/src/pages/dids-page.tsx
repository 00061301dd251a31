import { useState } from 'preact/hooks'
import { CreateDid } from '../dids/create-did.js'
import { DidFilters } from '../dids/did-filters.js'
import { ImportDid } from './did-dialogs.js'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { FormField } from '../parts/form-field.js'
import { LocalNote } from '../parts/local-note.js'
import { asked, Paging, totalOf } from '../parts/paging.js'
import { Failure, Heading, Section, Table } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Search, type Place } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'

const PER_PAGE = 25

/** The DIDs of the account. */
export function DidsPage({ search, place }: { search: Search; place: Place }) {
  const { base } = useSession()
  const whyNot = useWhyNot()
  const [dialog, setDialog] = useState<'create' | 'import'>()
  const { value, error, loading } = useDids(search, place)
  const [whyNotImport, whyNotCreate] = [whyNot('did-import'), whyNot('did-create')]
  const hrefOf = (next: Place) => routeHash({ page: 'dids', search, place: next })
  return (
    <>
      <Heading title="DIDs">DIDs</Heading>
      <LocalNote />
      <Section
        title={value ? totalOf(value, 'DID') : 'DIDs of the account'}
        actions={
          <div class="row">
            <ActionButton whyNot={whyNotImport} onClick={() => setDialog('import')}>
              Import a DID
            </ActionButton>
            <ActionButton class="primary" whyNot={whyNotCreate} onClick={() => setDialog('create')}>
              Create a DID
            </ActionButton>
          </div>
        }
      >
        <Reasons of={[whyNotImport, whyNotCreate]} />
        <FindDid />
        <DidFilters search={search} />
        <Failure text={error} />
        {loading && !value && <p class="hint">Loading …</p>}
        {value?.dids.length === 0 && <p class="hint">{whyNone(search, place)}</p>}
        {value && value.dids.length > 0 && <DidTable dids={value.dids} />}
        {value && (
          <Paging
            place={place}
            size={PER_PAGE}
            facts={{ ...value, rows: value.dids.length }}
            hrefOf={hrefOf}
          />
        )}
      </Section>
      <p class="foot">
        Service at <span class="mono">{base}</span>
      </p>
      {dialog === 'create' && <CreateDid onClose={() => setDialog(undefined)} />}
      {dialog === 'import' && <ImportDid onClose={() => setDialog(undefined)} />}
    </>
  )
}

function useDids(search: Search, place: Place) {
  const { client } = useSession()
  const { network, ...others } = search
  return useLoaded(`dids ${JSON.stringify([search, place])}`, () =>
    client.get('/did/list', {
      params: {
        query: {
          metadata: true,
          ...asked(place, PER_PAGE),
          ...others,
          ...(network !== undefined && { network: network as 'testnet' | 'mainnet' }),
        },
      },
    }),
  )
}

function whyNone(search: Search, { number, after }: Place): string {
  if (number !== undefined || after !== undefined) return 'Nothing on this page.'
  return Object.keys(search).length > 0 ? 'No DIDs match.' : 'No DIDs yet. Create the first one.'
}

interface ListedDid {
  did: string
  provider: string
  alias?: string
  services: unknown[]
}

function DidTable({ dids }: { dids: (string | ListedDid)[] }) {
  const listed = dids.map((one) => (typeof one === 'string' ? { did: one, provider: '', services: [] } : one))
  const rows = listed.map(({ did, alias, provider, services }) => ({
    key: did,
    cells: [
      <a class="mono wrap" href={routeHash({ page: 'did', did })}>
        {did}
      </a>,
      alias === did ? '' : alias,
      provider,
      <span class="number">{services.length}</span>,
    ],
  }))
  return <Table caption="DIDs of the account" head={['DID', 'Alias', 'Provider', 'Services']} rows={rows} />
}

/** Opens any DID that the service resolves, whoever holds it. */
function FindDid() {
  const [did, setDid] = useState('')
  return (
    <form
      class="row grow"
      role="search"
      aria-label="Any DID"
      onSubmit={(event) => {
        event.preventDefault()
        if (did.trim() !== '') window.location.hash = routeHash({ page: 'did', did: did.trim() })
      }}
    >
      <FormField label="Open any DID" type="search" value={did} onChange={setDid} placeholder="did:…" />
      <button type="submit">Open</button>
    </form>
  )
}
