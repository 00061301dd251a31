import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { asked, Paging, totalOf } from '../parts/paging.js'
import { Failure, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { CreateApiKey, RevokeApiKey, RotateApiKey } from './api-key-dialogs.js'
import { isWorking, labelOf, keyState, type ApiKey, type CreatedApiKey } from './api-key.js'
import { ShownOnce } from './shown-once.js'

const PER_PAGE = 25

type Opened = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiKey }

/** The API keys of the account, and what can be done with them. */
export function ApiKeys({ place }: { place: Place }) {
  const whyNot = useWhyNot()
  const whyNotList = whyNot('api-key-list')
  return whyNotList === undefined ? (
    <ListedApiKeys place={place} />
  ) : (
    <Section title="API keys">
      <p class="hint">{whyNotList}</p>
    </Section>
  )
}

function ListedApiKeys({ place }: { place: Place }) {
  const { client } = useSession()
  const whyNotCreate = useWhyNot()('api-key-create')
  const [opened, setOpened] = useState<Opened>()
  const [created, setCreated] = useState<CreatedApiKey>()
  const { value, error, loading, reload } = useLoaded(`api keys ${JSON.stringify(place)}`, () =>
    client.get('/account/api-keys', { params: { query: asked(place, PER_PAGE) } }),
  )
  const close = () => setOpened(undefined)
  const show = (key: CreatedApiKey) => {
    setCreated(key)
    reload()
  }
  return (
    <>
      {created && (
        <ShownOnce
          title={`API key ${labelOf(created)}`}
          hint="Store this API key where its program reads it."
          secret={created.apiKey}
          onClose={() => setCreated(undefined)}
        />
      )}
      <Section
        title={value ? totalOf(value, 'API key') : 'API keys'}
        actions={
          <ActionButton class="primary" whyNot={whyNotCreate} onClick={() => setOpened({ what: 'create' })}>
            Create an API key
          </ActionButton>
        }
      >
        <Reasons of={[whyNotCreate]} />
        <Failure text={error} />
        {loading && !value && <p class="hint">Loading …</p>}
        {value?.apiKeys.length === 0 && <p class="hint">Nothing on this page.</p>}
        {value && value.apiKeys.length > 0 && <ApiKeyTable apiKeys={value.apiKeys} onOpen={setOpened} />}
        {value && (
          <Paging
            place={place}
            size={PER_PAGE}
            facts={{ ...value, rows: value.apiKeys.length }}
            hrefOf={(next) => routeHash({ page: 'account', place: next })}
          />
        )}
      </Section>
      {opened?.what === 'create' && <CreateApiKey onClose={close} onDone={show} />}
      {opened?.what === 'rotate' && <RotateApiKey apiKey={opened.key} onClose={close} onDone={show} />}
      {opened?.what === 'revoke' && <RevokeApiKey apiKey={opened.key} onClose={close} onDone={reload} />}
    </>
  )
}

function ApiKeyTable({ apiKeys, onOpen }: { apiKeys: readonly ApiKey[]; onOpen: (opened: Opened) => void }) {
  const whyNot = useWhyNot()
  const [whyNotRotate, whyNotRevoke] = [whyNot('api-key-rotate'), whyNot('api-key-revoke')]
  const now = new Date()
  const rows = apiKeys.map((key): Row => {
    const name = labelOf(key)
    return {
      key: key.id,
      cells: [
        <span class="wrap short">
          {name}
          <span class="hint below mono">{key.shown}</span>
          {key.current && <span class="hint below">You are signed in with it</span>}
        </span>,
        <Rights apiKey={key} />,
        key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'never',
        key.expiresAt ? <Time at={key.expiresAt} /> : 'never',
        keyState(key, now),
        isWorking(key, now) ? (
          <span class="row">
            {key.rotatedTo === undefined && (
              <ActionButton whyNot={whyNotRotate} onClick={() => onOpen({ what: 'rotate', key })}>
                Rotate<span class="quiet"> {name}</span>
              </ActionButton>
            )}
            <ActionButton whyNot={whyNotRevoke} onClick={() => onOpen({ what: 'revoke', key })}>
              Revoke<span class="quiet"> {name}</span>
            </ActionButton>
          </span>
        ) : undefined,
      ],
    }
  })
  const head = ['Name', 'Rights', 'Last used', 'Expires', 'State', 'Actions']
  return <Table caption="API keys of the account" head={head} rows={rows} />
}

function Rights({ apiKey: { scopes, networks } }: { apiKey: ApiKey }) {
  return (
    <span class="wrap short">
      {scopes ? scopes.join(', ') : 'everything that the account may do'}
      {networks && <span class="hint below">only on {networks.join(', ')}</span>}
    </span>
  )
}
