import type { AnswerOf } from '@vidimus/client'
import { useEffect, useState } from 'preact/hooks'
import { ChangeMany } from '../changes/change-many.js'
import { useHeld } from '../dids/held.js'
import { LocalNote } from '../parts/local-note.js'
import { totalOf } from '../parts/paging.js'
import { counted, Facts, Failure, Heading, Section, shortened, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { cheqdNetwork } from '../rights.js'
import { type ListName, routeHash } from '../routes.js'
import { useSession } from '../session.js'
import { Bitmap } from './bitmap.js'
import { changesBetween } from './decoded-list.js'
import { IndexPanel } from './index-panel.js'
import { givenOut } from './lists-page.js'
import { type ReadVersion, useVersions, type Version, type Versions } from './use-versions.js'
import { ValuesSet } from './values-set.js'

const ENCRYPTED =
  'This list is encrypted: its entries can be checked and changed one by one, but it cannot be shown as a bitmap.'

/** A status list: all of its entries, one of them in detail, and its versions. */
export function StatusListPage({ list: name }: { list: ListName }) {
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
  const standing = useStanding(name, {
    isOwn: mayChange && versions.facts !== undefined,
    purpose: versions.layout?.purposes[0],
    looks,
  })
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
      <ListFacts name={name} versions={versions} newest={newest} standing={standing} />
      {standing && <WaitingChanges standing={standing} onPublished={reload} />}
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
          <div class="at-values">
            <Section title="Values set">
              <ValuesSet list={shown.list} read={versions.read} />
            </Section>
          </div>
        )}
      </div>
      {mayChange && isNewest && versions.layout && <ChangeMany name={name} layout={versions.layout} />}
      <Section
        title={versions.facts ? `Timeline: ${totalOf(versions.facts, 'version')}` : 'Timeline'}
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
  standing = {},
}: {
  name: ListName
  versions: Versions
  newest: Version | undefined
  standing: Standing | undefined
}) {
  const { layout } = versions
  const entries = versions.read[0]?.list.values.length
  const ofOwn = givenOut(standing)
  const facts = {
    Type: name.listType,
    Purpose: layout?.purposes.join(', '),
    Entries: ofOwn === '' ? entries?.toLocaleString('en') : `${ofOwn} given out`,
    Width: layout && counted(layout.statusSize, 'bit'),
    Newest: newest && <Time at={newest.created} />,
  }
  return <Facts of={facts} inline />
}

/** What a publication takes at most, in milliseconds, after its slot. */
const PUBLICATION_MS = 1000
/** Timers of browsers go no further. */
const LONGEST_MS = 2 ** 31 - 1

/** What only the account that has a list is told of it. */
type Standing = Partial<
  Pick<
    AnswerOf<'/credential-status/search', 'get'>,
    'allocated' | 'entries' | 'publishEvery' | 'always' | 'waiting' | 'visibleFrom'
  >
>

/** @param of - `looks` differs whenever the list may have changed */
function useStanding(
  name: ListName,
  { isOwn, purpose, looks }: { isOwn: boolean; purpose: string | undefined; looks: number },
): Standing | undefined {
  const { client } = useSession()
  const { did, statusListName, listType } = name
  // Where a type has a list for each purpose, only the purpose tells which.
  const query = { did, statusListName, listType, ...(purpose !== undefined && { statusPurpose: purpose }) }
  const { value } = useLoaded(`standing ${JSON.stringify(query)} ${isOwn} ${looks}`, async () =>
    isOwn ? client.get('/credential-status/search', { params: { query } }) : undefined,
  )
  return value
}

/** What waits for the next version of a list that publishes at intervals; nothing for others. */
function WaitingChanges({ standing, onPublished }: { standing: Standing; onPublished: () => void }) {
  const { publishEvery, always, waiting = 0, visibleFrom } = standing
  useEffect(() => {
    if (visibleFrom === undefined) return
    const wait = Date.parse(visibleFrom) - Date.now() + PUBLICATION_MS
    const timer = setTimeout(onPublished, Math.min(Math.max(wait, PUBLICATION_MS), LONGEST_MS))
    return () => clearTimeout(timer)
  }, [visibleFrom, standing])
  if (publishEvery === undefined) return null
  return (
    <p class="note" role="status">
      This list publishes at intervals ({publishEvery}){always && ', even without changes'}.{' '}
      {waiting > 0
        ? `${counted(waiting, 'changed entry waits', 'changed entries wait')}; verifiers see `
        : ''}
      {waiting > 0 && visibleFrom !== undefined && (
        <>
          {waiting === 1 ? 'it' : 'them'} from <Time at={visibleFrom} />.
        </>
      )}
      {waiting === 0 && 'No changes wait.'}
    </p>
  )
}

interface VersionLineProps {
  versions: readonly Version[]
  read: readonly ReadVersion[]
  /** how many of them are read, or are being read */
  wanted: number
  total: number | undefined
  shown: string | undefined
  onShow: (resourceId: string) => void
  onMore: () => void
}

/** The versions of a list on a line through time, newest first. */
function VersionLine({ versions, read, wanted, total, shown, onShow, onMore }: VersionLineProps) {
  const listed = versions.slice(0, wanted)
  return (
    <div
      class="line-frame"
      tabIndex={0}
      role="region"
      aria-label="Versions, newest first"
      aria-busy={read.length < wanted}
    >
      <ol class="line">
        {listed.map(({ resourceId, created, resourceVersion }, n) => (
          <li key={resourceId}>
            <button
              type="button"
              aria-current={resourceId === shown ? 'true' : undefined}
              onClick={() => onShow(resourceId)}
            >
              <span class="dot" aria-hidden="true" />
              <Time at={created} />
              <span class="hint">
                {resourceVersion !== '' && `${shortened(resourceVersion, 20)} · `}
                {changeText(read, n, total)}
              </span>
            </button>
          </li>
        ))}
        {wanted < versions.length && (
          <li>
            <button type="button" onClick={onMore}>
              <span class="dot empty" aria-hidden="true" />
              Older versions
              <span class="hint">{counted(versions.length - wanted, 'more', 'more')}</span>
            </button>
          </li>
        )}
        {wanted >= versions.length && total !== undefined && total > versions.length && (
          <li class="hint">
            Older ones are not shown here; use GET /credential-status/versions to list them.
          </li>
        )}
      </ol>
    </div>
  )
}

function changeText(read: readonly ReadVersion[], n: number, total: number | undefined): string {
  const [version, older] = [read[n], read[n + 1]]
  if (n + 1 === total) return 'first version'
  if (!version || !older) return ''
  return counted(changesBetween(older.list.values, version.list.values), 'change')
}
