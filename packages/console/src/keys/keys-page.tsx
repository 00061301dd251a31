import { ageSeconds, ageText } from '../parts/age-text.js'
import { ListPage, type Action } from '../parts/list-page.js'
import { shortened, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { routeHash, type TableRoute } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { DeleteKey, RenameKey, type ListedKey } from './key-dialogs.js'
import { CreateKey, FindKey, ImportKey } from './new-key-dialogs.js'

const ACTIONS: readonly Action[] = [
  { label: 'Find a key', operation: 'key-read', dialog: (parts) => <FindKey {...parts} /> },
  { label: 'Import a key pair', operation: 'key-import', dialog: (parts) => <ImportKey {...parts} /> },
  {
    label: 'Create a key pair',
    operation: 'key-create',
    primary: true,
    dialog: (parts) => <CreateKey {...parts} />,
  },
]

/** Key pairs of the account. Their private halves never leave the service. */
export function KeysPage({ route }: { route: TableRoute }) {
  const { client } = useSession()
  const dids = useWhyNot()('did-list') === undefined
  const stores = useLoaded('kms', async () => (await client.get('/key/kms')).kms).value ?? []
  return (
    <ListPage
      route={route}
      heading="Keys"
      lead={
        <p class="lead">
          The service stores key pairs and signs with them. Only their public halves are ever shown.
        </p>
      }
      caption="Keys of the account"
      one="key"
      operation="key-list"
      read={async (page, search) => {
        const { keys, ...end } = await client.get('/key/list', {
          params: { query: { ...search, ...page, dids } },
        })
        return { ...end, items: keys }
      }}
      filters={[
        { name: 'alias', label: 'Label', placeholder: 'issuer*' },
        ...(stores.length > 1
          ? [{ name: 'kms', label: 'Key store', choices: stores.map(({ name }) => name) }]
          : []),
      ]}
      keyOf={({ kid }) => kid}
      columns={[
        {
          head: 'Key',
          cell: ({ kid, alias }) => (
            <span class="wrap">
              {alias}
              <span class="mono below">{kid}</span>
            </span>
          ),
        },
        { head: 'Type', cell: ({ type }) => type },
        { head: 'Key store', cell: ({ kms }) => kms },
        { head: 'Age', cell: Age },
        { head: 'DIDs', cell: DidLinks },
      ]}
      none="No keys yet. Create the first one; a new DID gets its own key."
      actions={ACTIONS}
      rowActions={(key) => [
        {
          label: 'Rename',
          of: key.alias ?? key.kid,
          operation: 'key-update',
          dialog: (parts) => <RenameKey of={key} {...parts} />,
        },
        {
          label: 'Delete',
          of: key.alias ?? key.kid,
          operation: 'key-delete',
          dialog: (parts) => <DeleteKey of={key} {...parts} />,
        },
      ]}
    />
  )
}

const Age = ({ createdAt }: ListedKey) =>
  createdAt && (
    <span class="wrap short">
      {ageText(ageSeconds(createdAt, new Date()))}
      <span class="hint below">
        <Time at={createdAt} />
      </span>
    </span>
  )

const DidLinks = ({ dids, hasMoreDids }: ListedKey) =>
  dids?.length === 0
    ? 'none'
    : dids && (
        <ul class="plain-list">
          {dids.map((did) => (
            <li key={did}>
              <a class="mono" href={routeHash({ page: 'did', did })} title={did}>
                {shortened(did)}
              </a>
            </li>
          ))}
          {hasMoreDids && <li>and others</li>}
        </ul>
      )
