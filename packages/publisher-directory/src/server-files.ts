import { isDeepStrictEqual } from 'node:util'
import type { PublicationSource, PublishedDocument } from '@vidimus/core-types'
import { typedPath } from './document-files.js'
import { OWN_FOLDER, type Folder } from './folder.js'
import {
  cacheMap,
  LOCATIONS,
  locationsFile,
  MAPS,
  mapsFile,
  parseCacheMap,
  CACHE_MAP,
} from './nginx-files.js'

/** The default caching header of every response. */
export const REVALIDATE = 'public, no-cache'
const HEADERS = '_headers'

/**
 * The configuration for servers: maps and locations for nginx, and `_headers` for hosts that support it. It only
 * changes with new lists, and with how long a list may be cached.
 */
export class ServerFiles {
  private headers: HeadersOfPaths = new Map()
  private cached = new Map<string, string>()
  private common: Readonly<Record<string, string>> = {}
  /** of the files, as they were read or written last */
  private known: string | undefined
  private writing: Promise<void> | undefined
  private next: Promise<void> | undefined

  constructor(private readonly folder: Folder) {}

  /** Writes the constant part, and reads the existing rest. */
  async begin({ headers, preflight }: Pick<PublicationSource, 'headers' | 'preflight'>): Promise<void> {
    this.common = headers
    await this.replaceUnlessSame(`${OWN_FOLDER}/${MAPS}`, mapsFile())
    await this.replaceUnlessSame(`${OWN_FOLDER}/${LOCATIONS}`, locationsFile(headers, preflight))
    await this.refresh()
    await this.write()
  }

  /** Takes over the data of a document; resolves once that is written. */
  async note({ files, isIdentity }: PublishedDocument): Promise<void> {
    let changed = false
    for (const file of files) {
      const uri = `/${typedPath(file)}`
      const before = this.cached.get(uri)
      if (file.cacheControl === REVALIDATE) this.cached.delete(uri)
      else this.cached.set(uri, file.cacheControl)
      changed ||= before !== this.cached.get(uri)
    }
    const [first] = files
    if (first && isIdentity) {
      const said = { 'content-type': first.contentType, 'cache-control': first.cacheControl }
      changed ||= !isDeepStrictEqual(this.headers.get(`/${first.path}`), said)
      this.headers.set(`/${first.path}`, said)
    }
    if (changed) await this.write()
  }

  /** Reads what another process has written since. Nothing else may be writing. */
  async refresh(): Promise<void> {
    const state = await this.stateOfFiles()
    if (state === this.known) return
    this.cached = parseCacheMap((await this.folder.read(`${OWN_FOLDER}/${CACHE_MAP}`))?.toString() ?? '')
    this.headers = parseHeadersFile((await this.folder.read(HEADERS))?.toString() ?? '')
    this.known = state
  }

  private async stateOfFiles(): Promise<string> {
    const states = [`${OWN_FOLDER}/${CACHE_MAP}`, HEADERS].map((path) => this.folder.stateOf(path))
    return (await Promise.all(states)).join()
  }

  /** Concurrent callers share the next write. */
  private write(): Promise<void> {
    if (!this.writing) {
      this.writing = this.writeNow().finally(() => (this.writing = undefined))
      return this.writing
    }
    this.next ??= this.writing
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        return this.write()
      })
    return this.next
  }

  private async writeNow(): Promise<void> {
    await this.replaceUnlessSame(`${OWN_FOLDER}/${CACHE_MAP}`, cacheMap(this.cached))
    await this.replaceUnlessSame(HEADERS, headersFile(this.headers, this.common))
    await this.folder.settle([`${OWN_FOLDER}/${CACHE_MAP}`, HEADERS])
    this.known = await this.stateOfFiles()
  }

  private async replaceUnlessSame(path: string, text: string): Promise<void> {
    const there = await this.folder.read(path)
    if (there?.toString() !== text) await this.folder.replace(path, text)
  }
}

/** Headers by path, with a slash at the beginning. */
type HeadersOfPaths = Map<string, Record<string, string>>

const COMMENT =
  '# Written by Vidimus: what each status list is served with that is named by its https address.\n'
const COMMON = '/*'

/**
 * The file `_headers` that Netlify, Cloudflare Pages and others read: of all paths first, then of each.
 *
 * @see https://docs.netlify.com/manage/routing/headers/#syntax-for-the-headers-file
 */
export function headersFile(paths: HeadersOfPaths, common: Readonly<Record<string, string>>): string {
  const block = (path: string, headers: Readonly<Record<string, string>>) =>
    [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
  return (
    COMMENT +
    [block(COMMON, common), ...[...paths].sort().map(([path, headers]) => block(path, headers))].join('')
  )
}

/** The content written by {@link headersFile}, without the part for all paths. */
export function parseHeadersFile(text: string): HeadersOfPaths {
  const paths: HeadersOfPaths = new Map()
  let headers: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name, value] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) headers[name] = value
    else if (line.startsWith('/')) {
      headers = {}
      if (line !== COMMON) paths.set(line, headers)
    }
  }
  return paths
}
