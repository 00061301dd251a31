import { useState } from 'preact/hooks'
import { LocalNote } from '../parts/local-note.js'
import { totalOf } from '../parts/paging.js'
import { counted, Facts, Failure, Heading, Section, Time } from '../parts/pieces.js'
import { cheqdNetwork } from '../rights.js'
import { routeHash, type ListName } from '../routes.js'
import { ChangeMany } from '../changes/change-many.js'
import { useHeld } from './held.js'
import { Bitmap } from '../status-list/bitmap.js'
import { FillLevel } from '../status-list/fill-level.js'
import { IndexPanel } from '../status-list/index-panel.js'
import { useVersions, type Version, type Versions } from '../status-list/use-versions.js'
import { WaitingChanges } from '../status-list/waiting-changes.js'
import { VersionLine } from '../status-list/version-line.js'

const ENCRYPTED =
  'This list is encrypted: its entries can be checked and changed one by one, but it cannot be shown as a bitmap.'

/** A status list: all of its entries, one of them in detail, and its versions. */
export function ListPage({ list: name }: { list: ListName }) {
  const versions = useVersions(name)
  const { mayChange } = useHeld(name.did)
  const [index, setIndex] = useState<number>()
  const [chosen, setChosen] = useState<string>()
  const [looks, setLooks] = useState(0)
  const reload = () => {
    setLooks((n) => n + 1)
    versions.reload()
  }
  const newest = versions.versions[0]
  const shown = versions.read.find(({ resourceId }) => resourceId === chosen) ?? versions.read[0]
  // While a new version is being read, the previous one is shown.
  const isNewest = shown === versions.read[0]
  return (
    <>
      <nav aria-label="Way back" class="crumbs">
        <a href="#/dids">DIDs</a> <span aria-hidden="true">/</span>{' '}
        <a class="mono wrap" href={routeHash({ page: 'did', did: name.did })}>
          {name.did}
        </a>
      </nav>
      <Heading title={name.statusListName}>{name.statusListName}</Heading>
      {versions.facts && <LocalNote network={cheqdNetwork(name.did) ?? ''} />}
      <ListFacts name={name} versions={versions} newest={newest} />
      {mayChange && versions.facts && <WaitingChanges name={name} changed={looks} onBeat={reload} />}
      <Failure text={versions.error} />
      {versions.unreadable && <p class="note">{ENCRYPTED}</p>}
      {shown?.list.untrusted !== undefined && (
        <p class="note failure">Verifiers must not trust this version: {shown.list.untrusted}.</p>
      )}
      {shown && !isNewest && (
        <p class="note" role="status">
          This is the version of <Time at={shown.created} />. Changes apply to the newest one.{' '}
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
        {(versions.loading || versions.facts) && (
          <div class="at-entry">
            <IndexPanel
              name={name}
              versions={{ ...versions, reload }}
              list={shown?.list}
              index={index}
              onIndex={setIndex}
              own={mayChange && isNewest}
            />
          </div>
        )}
        {shown && (
          <div class="at-fill">
            <Section title="Fill level">
              <FillLevel list={shown.list} read={versions.read} />
            </Section>
          </div>
        )}
      </div>
      {mayChange && isNewest && versions.layout && <ChangeMany name={name} layout={versions.layout} />}
      <Section
        title={versions.facts ? `Time line: ${totalOf(versions.facts, 'version')}` : 'Time line'}
        actions={
          <button type="button" onClick={reload}>
            Refresh
          </button>
        }
      >
        <VersionLine
          versions={versions.versions}
          read={versions.read}
          wanted={versions.wanted}
          total={versions.facts?.total}
          shown={shown?.resourceId}
          onShow={setChosen}
          onMore={versions.readMore}
        />
      </Section>
    </>
  )
}

function ListFacts({
  name,
  versions,
  newest,
}: {
  name: ListName
  versions: Versions
  newest: Version | undefined
}) {
  const { layout } = versions
  const entries = versions.read[0]?.list.values.length
  const facts = {
    Type: name.listType,
    Purpose: layout?.purposes.join(', '),
    Entries: entries?.toLocaleString('en'),
    Width: layout && counted(layout.statusSize, 'bit'),
    Newest: newest && <Time at={newest.created} />,
  }
  return <Facts of={facts} inline />
}
