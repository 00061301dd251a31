import type { AnswerOf } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { ListPage } from '../parts/list-page.js'
import { LocalNote } from '../parts/local-note.js'
import { routeHash, type TableRoute } from '../routes.js'
import { useSession } from '../session.js'
import { CreateDid, ImportDid } from './new-did-dialogs.js'
import { useMethods } from './use-methods.js'

/** The page always requests metadata. */
type ListedDid = Exclude<AnswerOf<'/did/list', 'get'>['dids'][number], string>

const NETWORKS = ['testnet', 'mainnet'] as const

/** The DIDs of the account. */
export function DidsPage({ route }: { route: TableRoute }) {
  const { client, base } = useSession()
  const providers = useMethods().map(({ provider }) => provider)
  return (
    <ListPage
      route={route}
      heading="DIDs"
      lead={
        <>
          <LocalNote />
          <FindDid />
        </>
      }
      caption="DIDs of the account"
      one="DID"
      operation="did-list"
      read={async (page, { network, ...others }) => {
        const ofNetwork = network !== undefined && { network: network as (typeof NETWORKS)[number] }
        const query = { metadata: true, ...others, ...ofNetwork, ...page }
        const { dids, ...end } = await client.get('/did/list', { params: { query } })
        return { ...end, items: dids as ListedDid[] }
      }}
      filters={[
        { name: 'provider', label: 'Provider', choices: providers },
        { name: 'network', label: 'Network', choices: NETWORKS },
        { name: 'alias', label: 'Alias', placeholder: 'acme*' },
        { name: 'createdAfter', label: 'Added after', placeholder: '2026-01-31' },
        { name: 'createdBefore', label: 'Added before', placeholder: '2026-12-31' },
      ]}
      keyOf={({ did }) => did}
      columns={[
        {
          head: 'DID',
          cell: ({ did }) => (
            <a class="mono wrap" href={routeHash({ page: 'did', did })}>
              {did}
            </a>
          ),
        },
        { head: 'Alias', cell: ({ did, alias }) => (alias === did ? undefined : alias) },
        { head: 'Provider', cell: ({ provider }) => provider },
        { head: 'Services', cell: ({ services }) => <span class="number">{services.length}</span> },
      ]}
      none="No DIDs yet. Create the first one."
      actions={[
        {
          label: 'Import a DID',
          operation: 'did-import',
          dialog: ({ onClose }) => <ImportDid onClose={onClose} />,
        },
        {
          label: 'Create a DID',
          operation: 'did-create',
          primary: true,
          dialog: ({ onClose }) => <CreateDid onClose={onClose} />,
        },
      ]}
    >
      <p class="foot">
        Service at <span class="mono">{base}</span>
      </p>
    </ListPage>
  )
}

/** Opens any DID that the service resolves, whoever controls it. */
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
