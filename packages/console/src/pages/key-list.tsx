import { useState } from 'preact/hooks'
import { ActionButton } from '../parts/action-button.js'
import { FormField } from '../parts/form-field.js'
import { asked, Paging, totalOf } from '../parts/paging.js'
import { ageSeconds, ageText } from '../parts/age-text.js'
import { Failure, Section, shortened, Table, Time, type Row } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place, type Search } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { DeleteKey, RenameKey, type ListedKey } from './key-dialogs.js'

const PER_PAGE = 25

interface Opened {
  what: 'rename' | 'delete'
  key: ListedKey
}

interface KeyListProps {
  search: Search
  place: Place
  /** changes whenever a key was created or imported */
  changes: number
}

/** The key pairs of the account. */
export function KeyList({ search, place, changes }: KeyListProps) {
  const whyNot = useWhyNot()('key-list')
  return whyNot === undefined ? (
    <ListedKeys search={search} place={place} changes={changes} />
  ) : (
    <Section title="Keys of the account">
      <p class="hint">{whyNot}</p>
    </Section>
  )
}

function ListedKeys({ search, place, changes }: KeyListProps) {
  const { client } = useSession()
  const dids = useWhyNot()('did-list') === undefined
  const [opened, setOpened] = useState<Opened>()
  const { value, error, loading, reload } = useLoaded(JSON.stringify(['keys', search, place, changes]), () =>
    client.get('/key/list', { params: { query: { ...search, ...asked(place, PER_PAGE), dids } } }),
  )
  const close = () => setOpened(undefined)
  const isFiltered = Object.keys(search).length > 0
  return (
    <Section title={value ? totalOf(value, 'key') : 'Keys of the account'}>
      <Filter search={search} key={JSON.stringify(search)} />
      <Failure text={error} />
      {loading && !value && <p class="hint">Loading …</p>}
      {value?.keys.length === 0 && (
        <p class="hint">
          {isFiltered ? (
            <>
              No keys match. <a href={routeHash({ page: 'keys' })}>Show all keys</a>
            </>
          ) : (
            'No keys yet. Create the first one below; a new DID gets its own key.'
          )}
        </p>
      )}
      {value && value.keys.length > 0 && <KeyTable keys={value.keys} onOpen={setOpened} />}
      {value && (
        <Paging
          place={place}
          size={PER_PAGE}
          facts={{ ...value, rows: value.keys.length }}
          hrefOf={(next) => routeHash({ page: 'keys', search, place: next })}
        />
      )}
      {opened?.what === 'rename' && <RenameKey of={opened.key} onClose={close} onDone={reload} />}
      {opened?.what === 'delete' && <DeleteKey of={opened.key} onClose={close} onDone={reload} />}
    </Section>
  )
}

/** The filter is in the address, so that it can be passed on. */
function Filter({ search }: { search: Search }) {
  const { client } = useSession()
  const [alias, setAlias] = useState(search.alias ?? '')
  const [kms, setKms] = useState(search.kms ?? '')
  const places = useLoaded('kms', async () => (await client.get('/key/kms')).kms).value ?? []
  return (
    <form
      class="row"
      role="search"
      aria-label="Keys"
      onSubmit={(event) => {
        event.preventDefault()
        const words = { ...(alias !== '' && { alias }), ...(kms !== '' && { kms }) }
        window.location.hash = routeHash({ page: 'keys', search: words })
      }}
    >
      <FormField
        label="Label"
        type="search"
        value={alias}
        onChange={setAlias}
        hint="`issuer*` finds labels that start with issuer"
      />
      {places.length > 1 && (
        <FormField
          label="Held by"
          value={kms}
          onChange={setKms}
          choices={places.map(({ name }) => name)}
          none="any"
        />
      )}
      <div class="row">
        <button type="submit">Filter</button>
      </div>
    </form>
  )
}

function KeyTable({ keys, onOpen }: { keys: readonly ListedKey[]; onOpen: (opened: Opened) => void }) {
  const whyNot = useWhyNot()
  const [whyNotRename, whyNotDelete] = [whyNot('key-update'), whyNot('key-delete')]
  const rows = keys.map((key): Row => {
    const { kid, alias, type, kms, createdAt, dids, hasMoreDids } = key
    return {
      key: kid,
      cells: [
        <span class="wrap">
          {alias}
          <span class="mono below">{kid}</span>
        </span>,
        type,
        kms,
        createdAt && (
          <span class="wrap short">
            {ageText(ageSeconds(createdAt, new Date()))}
            <span class="hint below">
              <Time at={createdAt} />
            </span>
          </span>
        ),
        dids && <DidsOfKey dids={dids} hasMore={hasMoreDids === true} />,
        <span class="row">
          <ActionButton whyNot={whyNotRename} onClick={() => onOpen({ what: 'rename', key })}>
            Rename<span class="quiet"> {alias ?? kid}</span>
          </ActionButton>
          <ActionButton whyNot={whyNotDelete} onClick={() => onOpen({ what: 'delete', key })}>
            Delete<span class="quiet"> {alias ?? kid}</span>
          </ActionButton>
        </span>,
      ],
    }
  })
  return (
    <Table
      caption="Keys of the account"
      head={['Key', 'Type', 'Held by', 'Age', 'DIDs', 'Actions']}
      rows={rows}
    />
  )
}

function DidsOfKey({ dids, hasMore }: { dids: readonly string[]; hasMore: boolean }) {
  if (dids.length === 0) return <>none</>
  return (
    <ul class="plain-list">
      {dids.map((did) => (
        <li key={did}>
          <a class="mono wrap" href={routeHash({ page: 'did', did })}>
            {shortened(did)}
          </a>
        </li>
      ))}
      {hasMore && <li>and others</li>}
    </ul>
  )
}
