import { useState } from 'preact/hooks'
import { CreateDid, ImportDid } from './did-dialogs.js'
import { FormField } from '../parts/form-field.js'
import { counted, Failure, Heading, Section, Table } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { hashOf } from '../routes.js'
import { useSession } from '../session.js'

const PER_PAGE = 25

type Network = 'testnet' | 'mainnet'

/** The DIDs of the account. */
export function DidsPage() {
  const { client, base } = useSession()
  const [page, setPage] = useState(1)
  const [network, setNetwork] = useState('')
  const [dialog, setDialog] = useState<'create' | 'import'>()
  const { value, error, loading } = useLoaded(`dids ${page} ${network}`, () =>
    client.get('/did/list', {
      params: {
        query: {
          metadata: true,
          page,
          limit: PER_PAGE,
          ...(network !== '' && { network: network as Network }),
        },
      },
    }),
  )
  const pages = Math.max(1, Math.ceil((value?.total ?? 0) / PER_PAGE))
  return (
    <>
      <Heading title="DIDs">DIDs</Heading>
      <Section
        title={value ? counted(value.total, 'DID') : 'DIDs of the account'}
        actions={
          <div class="row">
            <button type="button" onClick={() => setDialog('import')}>
              Import a DID
            </button>
            <button type="button" class="primary" onClick={() => setDialog('create')}>
              Create a DID
            </button>
          </div>
        }
      >
        <div class="filters">
          <FormField
            label="Network"
            value={network}
            onChange={(chosen) => {
              setNetwork(chosen)
              setPage(1)
            }}
            choices={['testnet', 'mainnet']}
            none="every DID"
          />
          <FindDid />
        </div>
        <Failure text={error} />
        {loading && !value && <p class="hint">Loading …</p>}
        {value?.total === 0 && <p class="hint">There is none yet. Create the first one.</p>}
        {value && value.dids.length > 0 && <DidTable dids={value.dids} />}
        {pages > 1 && <Pages page={page} pages={pages} onPage={setPage} />}
      </Section>
      <p class="foot">
        Service at <span class="mono">{base}</span>
      </p>
      {dialog === 'create' && <CreateDid onClose={() => setDialog(undefined)} />}
      {dialog === 'import' && <ImportDid onClose={() => setDialog(undefined)} />}
    </>
  )
}

interface ListedDid {
  did: string
  provider: string
  alias?: string
  services: unknown[]
}

function DidTable({ dids }: { dids: (string | ListedDid)[] }) {
  const rows = dids.map((one) => (typeof one === 'string' ? { did: one, provider: '', services: [] } : one))
  return (
    <Table caption="DIDs of the account" head={['DID', 'Provider', 'Services']}>
      {rows.map(({ did, provider, services }) => (
        <tr key={did}>
          <td class="mono">
            <a href={hashOf({ page: 'did', did })}>{did}</a>
          </td>
          <td>{provider}</td>
          <td class="number">{services.length}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Leads to any DID that the service resolves, whoever holds it. */
function FindDid() {
  const [did, setDid] = useState('')
  return (
    <form
      class="row grow"
      role="search"
      aria-label="Any DID"
      onSubmit={(event) => {
        event.preventDefault()
        if (did.trim() !== '') window.location.hash = hashOf({ page: 'did', did: did.trim() })
      }}
    >
      <FormField label="Open any DID" type="search" value={did} onChange={setDid} placeholder="did:…" />
      <button type="submit">Open</button>
    </form>
  )
}

function Pages({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return (
    <nav class="row" aria-label="Pages of the table">
      <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        Back
      </button>
      <span>
        Page {page} of {pages}
      </span>
      <button type="button" aria-disabled={page >= pages} onClick={() => page < pages && onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
