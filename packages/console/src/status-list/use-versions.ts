import type { Client } from '@vidimus/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoaded } from '../parts/use-loaded.js'
import type { ListName } from '../routes.js'
import { failureSentence, useSession } from '../session.js'
import { decodeList, EncryptedList, reportedList, type DecodedList } from './decoded-list.js'
import { DRAWN_TYPES, UnknownList, type ListLayout } from './list-content.js'

/** Metadata of a version, as the API has it. */
export interface Version {
  resourceId: string
  resourceVersion: string
  created: string
  checksum: string
  previousVersionId: string | null
}

/** A version whose bits are here. */
export interface ReadVersion extends Version {
  list: DecodedList
}

export interface Versions {
  /** of all versions, as reported by the API; absent: unknown */
  facts?: { total: number; totalIsExact?: false }
  /** newest first */
  versions: Version[]
  /** the newest of them, without a gap, as far as they are read */
  read: ReadVersion[]
  /** the newest version's own data, even if its entries cannot be read here */
  layout?: ListLayout
  /** why none of them can be shown as a bitmap */
  unreadable?: 'encrypted'
  error?: string
  loading: boolean
  /** how many of them are read, or are being read */
  wanted: number
  /** reads further ones */
  readMore: () => void
  reload: () => void
}

const MOST_VERSIONS = 1000
/** So many are read at first, and each time that more are asked for; large lists in smaller portions. */
const PORTION = 24
const PORTION_ENTRIES = 16_000_000
const AT_ONCE = 4

/** The versions of a list, with the bits of the newest ones. */
export function useVersions(list: ListName): Versions {
  const { client } = useSession()
  const { did, listType, resourceType, statusListName } = list
  const known = useRef(new Map<string, DecodedList>())
  const [portions, setPortions] = useState(1)
  const [read, setRead] = useState<ReadVersion[]>([])
  const [failure, setFailure] = useState<Pick<Versions, 'unreadable' | 'layout' | 'error'>>({})
  const readMore = () => setPortions((n) => n + 1)
  const { value, error, loading, reload } = useLoaded(`versions ${JSON.stringify(list)}`, () =>
    client.get('/credential-status/versions', {
      params: { query: { did, listType, resourceType, statusListName, limit: MOST_VERSIONS } },
    }),
  )
  useEffect(() => {
    let current = true
    const show = (versions: ReadVersion[]) => {
      if (current) setRead(versions)
      return current
    }
    if (value) {
      readVersions(
        value.versions,
        portions,
        (version) => readList(known.current, client, list, version),
        show,
      ).then(
        () => current && setFailure({}),
        (reason: unknown) => current && setFailure(toFailure(reason)),
      )
    }
    return () => {
      current = false
    }
  }, [value, portions])
  const shown = error ?? failure.error
  const layout = read[0]?.list.layout ?? failure.layout
  // What was read before an error may be outdated.
  if (!value) {
    return {
      versions: [],
      read: [],
      ...(shown !== undefined && { error: shown }),
      loading,
      wanted: 0,
      readMore,
      reload,
    }
  }
  // The previous one replaces a newest version that is being read, but not one that could not be read.
  const isStale = Object.keys(failure).length > 0 && read[0]?.resourceId !== value.versions[0]?.resourceId
  return {
    facts: value,
    versions: value.versions,
    read: isStale ? [] : read,
    ...(layout && { layout }),
    ...(failure.unreadable && { unreadable: failure.unreadable }),
    ...(shown !== undefined && { error: shown }),
    loading,
    wanted: Math.min(value.versions.length, mostVersions(portions, read[0]?.list.values.length ?? 1)),
    readMore,
    reload,
  }
}

const mostVersions = (portions: number, entries: number): number =>
  portions * Math.max(2, Math.min(PORTION, Math.floor(PORTION_ENTRIES / Math.max(1, entries))))

/** Reads the newest first, so that it is shown early, then others, some at a time. */
async function readVersions(
  versions: readonly Version[],
  portions: number,
  readOne: (version: Version) => Promise<DecodedList>,
  show: (versions: ReadVersion[]) => boolean,
): Promise<void> {
  const read: ReadVersion[] = []
  const add = async (some: readonly Version[]) => {
    const lists = await Promise.all(some.map(readOne))
    lists.forEach((list, n) => {
      const version = some[n]
      if (version) read.push({ ...version, list })
    })
    return show([...read])
  }
  if (!(await add(versions.slice(0, 1)))) return
  const most = mostVersions(portions, read[0]?.list.values.length ?? 1)
  for (let n = 1; n < Math.min(most, versions.length); n += AT_ONCE) {
    if (!(await add(versions.slice(n, Math.min(n + AT_ONCE, most))))) return
  }
}

/** Published versions never change. */
async function readList(
  known: Map<string, DecodedList>,
  client: Client,
  { did, listType, resourceType, statusListName }: ListName,
  { resourceId }: Version,
): Promise<DecodedList> {
  const found = known.get(resourceId)
  if (found) return found
  const read = async () =>
    decodeList(
      await client.get('/1.0/identifiers/{did}/resources/{resourceId}', {
        params: { path: { did, resourceId } },
      }),
    )
  const report = async () =>
    reportedList(
      await client.get('/credential-status/entries', {
        params: { query: { did, listType, resourceType, statusListName, resourceId } },
      }),
    )
  // Types of plugins have forms of their own, which the service reads.
  const list = DRAWN_TYPES.includes(listType)
    ? await read().catch((reason: unknown) => {
        if (reason instanceof UnknownList) return report()
        throw reason
      })
    : await report()
  known.set(resourceId, list)
  return list
}

function toFailure(reason: unknown) {
  if (reason instanceof EncryptedList) return { unreadable: 'encrypted' as const, layout: reason.layout }
  return { error: failureSentence(reason) }
}
