import { ApiError } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { counted, Failure, Heading, Section, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { hashOf, type ListName } from '../routes.js'
import { useSession } from '../session.js'
import { Bitmap } from '../status-list/bitmap.js'
import { FillLevel } from '../status-list/fill-level.js'
import { IndexPanel } from '../status-list/index-panel.js'
import { useVersions, type Version, type Versions } from '../status-list/use-versions.js'
import { VersionLine } from '../status-list/version-line.js'

const WHY_NO_BITMAP = {
  encrypted:
    'This list is encrypted: its entries can be checked and changed one by one, but not shown as a bitmap.',
  unknown:
    'This list is damaged, or of a form that this console does not know: entries can be checked and changed one by one.',
}

/** A status list: all of its entries, one of them in detail, and its versions. */
export function ListPage({ list: name }: { list: ListName }) {
  const versions = useVersions(name)
  const own = useHeld(name.did)
  const [index, setIndex] = useState<number>()
  const [chosen, setChosen] = useState<string>()
  const newest = versions.versions[0]
  const shown = versions.read.find(({ resourceId }) => resourceId === chosen) ?? versions.read[0]
  // While a new version is being read, the one before stands for it.
  const isNewest = shown === versions.read[0]
  return (
    <>
      <nav aria-label="Way back" class="crumbs">
        <a href="#/dids">DIDs</a> <span aria-hidden="true">/</span>{' '}
        <a class="mono wrap" href={hashOf({ page: 'did', did: name.did })}>
          {name.did}
        </a>
      </nav>
      <Heading title={name.statusListName}>{name.statusListName}</Heading>
      <Facts name={name} versions={versions} newest={newest} />
      <Failure text={versions.error} />
      {versions.unreadable && <p class="note">{WHY_NO_BITMAP[versions.unreadable]}</p>}
      {shown && !isNewest && (
        <p class="note" role="status">
          This is the version of <Time at={shown.created} />. Changes are made to the newest one.{' '}
          <button type="button" onClick={() => setChosen(undefined)}>
            Show the newest
          </button>
        </p>
      )}
      <div class="workbench">
        {shown && (
          <div class="at-bitmap">
            <Section title="Bitmap">
              <Bitmap list={shown.list} selected={index} onSelect={setIndex} />
            </Section>
          </div>
        )}
        <div class="at-entry">
          <IndexPanel
            name={name}
            versions={versions}
            list={shown?.list}
            index={index}
            onIndex={setIndex}
            own={own && isNewest}
          />
        </div>
        {shown && (
          <div class="at-fill">
            <Section title="Fill level">
              <FillLevel list={shown.list} read={versions.read} />
            </Section>
          </div>
        )}
      </div>
      <Section
        title={`Time line: ${counted(versions.total, 'version')}`}
        actions={
          <button type="button" onClick={versions.reload}>
            Refresh
          </button>
        }
      >
        <VersionLine
          versions={versions.versions}
          read={versions.read}
          wanted={versions.wanted}
          total={versions.total}
          shown={shown?.resourceId}
          onShow={setChosen}
          onMore={versions.readMore}
        />
      </Section>
    </>
  )
}

function Facts({
  name,
  versions,
  newest,
}: {
  name: ListName
  versions: Versions
  newest: Version | undefined
}) {
  const layout = versions.read[0]?.list.layout
  const entries = versions.read[0]?.list.values.length
  const facts: [string, string | undefined][] = [
    ['Type', name.listType],
    ['Purpose', layout?.purposes.join(', ')],
    ['Entries', entries?.toLocaleString('en')],
    ['Width', layout && counted(layout.statusSize, 'bit')],
    ['Newest (UTC)', newest?.created.slice(0, 19).replace('T', ' ')],
  ]
  return (
    <dl class="facts inline">
      {facts.map(
        ([label, text]) =>
          text !== undefined && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Whether the account holds a DID; where the key may not ask, the service has the last word. */
function useHeld(did: string): boolean {
  const { client } = useSession()
  const { value } = useLoaded(`held ${did}`, () =>
    client.get('/did/read/{did}', { params: { path: { did } } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && [403, 404].includes(error.status ?? 0)) return error.status === 403
        throw error
      },
    ),
  )
  return value ?? false
}
