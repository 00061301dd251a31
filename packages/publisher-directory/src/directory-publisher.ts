import {
  AgentError,
  isAgentError,
  parseOptions,
  systemCodeOf,
  type KeptVersion,
  type PublicationDifference,
  type PublicationSource,
  type PublishedDocument,
  type PublishedFile,
  type PublishedPath,
  type Publisher,
  type ReadPublished,
  type StoredFile,
} from '@vidimus/core-types'
import { COMPRESSED, filePath, placedFiles, typedPath, type PlacedFile } from './document-files.js'
import { Folder, isFilePath, OWN_FOLDER } from './folder.js'
import { FolderLock } from './folder-lock.js'
import { Options, type DirectoryPublisherOptions } from './options.js'
import { ServerFiles } from './server-files.js'

/** That everything was published there once. */
const FILLED = `${OWN_FOLDER}/filled`
/** The number of the last pass. */
const PASS = `${OWN_FOLDER}/pass`

/** The published version of something, in a file beside the tree. */
interface StoredVersion {
  id: string
  time: string
}

/**
 * Publishes into a folder that web servers serve, nginx above all. Each file takes the place of the one before at once; processes
 * of this machine take turns, by a lock that ends with them.
 */
export class DirectoryPublisher implements Publisher {
  readonly place: string
  private readonly folder: Folder
  private readonly lock: FolderLock
  private readonly servers: ServerFiles
  private begun = false

  /** @throws AgentError `invalid_configuration` */
  constructor(options: DirectoryPublisherOptions) {
    const { directory, lockTimeoutMs } = parseOptions(Options, options)
    this.place = `directory ${directory}`
    this.folder = new Folder(directory)
    this.servers = new ServerFiles(this.folder)
    this.lock = new FolderLock(`${directory}/${OWN_FOLDER}/lock`, lockTimeoutMs, () => this.servers.refresh())
  }

  async begin(source: Pick<PublicationSource, 'headers' | 'preflight'>): Promise<void> {
    await orUnavailable(async () => {
      await this.folder.prepare()
      await this.lock.during(async () => {
        await this.folder.clean()
        await this.servers.begin(source)
      })
      this.begun = true
    })
  }

  isFilled(): Promise<boolean> {
    return orUnavailable(() => this.folder.exists(FILLED))
  }

  noteFilled(): Promise<void> {
    return orUnavailable(() => this.folder.replace(FILLED, `${new Date().toISOString()}\n`))
  }

  lastPass(): Promise<number> {
    return orUnavailable(async () => parsePass(await this.folder.read(PASS)))
  }

  notePass(pass: number): Promise<void> {
    return orUnavailable(() =>
      this.lock.during(async () => {
        if (parsePass(await this.folder.read(PASS)) >= pass) return
        await this.folder.replace(PASS, `${pass}\n`)
        await this.folder.settle([PASS])
      }),
    )
  }

  stored({ path, form, isUsual }: PublishedPath): Promise<StoredFile | undefined> {
    const place = isUsual ? filePath(path) : typedPath({ path, form })
    return orUnavailable(async () => {
      const body = isFilePath(place) ? await this.folder.read(place) : undefined
      const version = body && (await this.folder.read(versionPath(path)))
      return body && { body, ...(version && { version: JSON.parse(version.toString()) as StoredVersion }) }
    })
  }

  async *paths(except: readonly string[]): AsyncIterable<string> {
    yield* this.folder.files([OWN_FOLDER, ...except])
  }

  /** The holder of the lock reads the newest state after all its previous holders. */
  async publish(read: ReadPublished): Promise<void> {
    await orUnavailable(() =>
      this.lock.during(async () => {
        const document = await read()
        if (document) await this.write(document)
      }),
    )
  }

  async compare(document: PublishedDocument): Promise<PublicationDifference[]> {
    const found: PublicationDifference[] = []
    for (const { typed, plain, file } of placedFiles(document)) {
      found.push(...(await this.difference(typed, file.body)))
      if (plain !== undefined) found.push(...(await this.difference(plain, file.body)))
      if (file.compressed) found.push(...(await this.difference(typed + COMPRESSED, file.compressed)))
    }
    for (const version of document.history) {
      if (await this.folder.exists(typedPath(version))) continue
      if (await version.read()) found.push({ path: typedPath(version), found: 'missing' })
    }
    return found
  }

  async check(): Promise<void> {
    await orUnavailable(async () => {
      if (await this.folder.exists(OWN_FOLDER)) return
      if (this.begun) throw new AgentError('unavailable', 'the folder of the publication no longer exists')
      // The first start makes it.
      await this.folder.mustBeCreatable()
    })
  }

  private async difference(path: string, body: Uint8Array): Promise<PublicationDifference[]> {
    const there = await this.folder.read(path)
    if (there?.equals(body)) return []
    return [{ path, found: there ? 'different' : 'missing' }]
  }

  private async write(document: PublishedDocument): Promise<void> {
    const written: string[] = []
    const [first] = document.files
    const version = first && versionPath(first.path)
    await this.demandOlder(version, document)
    written.push(...(await this.keep(document.history)))
    for (const placed of placedFiles(document)) written.push(...(await this.put(placed)))
    for (const gone of document.gone) written.push(...(await this.remove(gone)))
    if (version !== undefined && document.version && isFilePath(version)) {
      const text = JSON.stringify(document.version)
      if ((await this.folder.read(version))?.toString() !== text) {
        await this.folder.replace(version, text)
        written.push(version)
      }
    }
    await this.folder.settle(written)
    await this.servers.note(document)
  }

  /** @throws AgentError `version_conflict` if the folder is ahead of the ledger, as after a restore from a backup */
  private async demandOlder(path: string | undefined, { version }: PublishedDocument): Promise<void> {
    if (path === undefined || !version || !isFilePath(path)) return
    const text = (await this.folder.read(path))?.toString()
    if (text === undefined) return
    const there = JSON.parse(text) as StoredVersion
    if (there.time <= version.time) return
    throw new AgentError(
      'version_conflict',
      `the folder of the publication has a version of ${there.time}, which is newer than that of the ledger, ${version.time}`,
    )
  }

  /**
   * The compressed form of the older version goes first, and the new one comes last: whatever a client accepts, it never gets
   * an older version than it had.
   *
   * @returns the paths that were written
   */
  private async put({ typed, plain, file }: PlacedFile): Promise<string[]> {
    const { folder } = this
    const { body, compressed } = file
    const isThere = (await folder.read(typed))?.equals(body) === true
    const isWhole =
      isThere &&
      (plain === undefined || (await folder.read(plain))?.equals(body) === true) &&
      (compressed === undefined || (await folder.exists(typed + COMPRESSED)))
    if (isWhole) return []
    // nginx knows versions apart by whole seconds and lengths.
    const before = await folder.changedAt(typed)
    const seconds = Math.max(Math.floor(Date.now() / 1000), before === undefined ? 0 : before + 1)
    await folder.remove(typed + COMPRESSED)
    await folder.replace(typed, body, seconds)
    if (plain !== undefined) await folder.alias(plain, typed)
    if (compressed) await folder.replace(typed + COMPRESSED, compressed, seconds)
    return [typed, ...(plain === undefined ? [] : [plain])]
  }

  /** If one is there, so are all earlier ones; so the next process continues where this one was ended. */
  private async keep(history: readonly KeptVersion[]): Promise<string[]> {
    const missing: KeptVersion[] = []
    for (const version of history) {
      if (!isFilePath(typedPath(version) + COMPRESSED) || (await this.folder.exists(filePath(version.path))))
        break
      missing.push(version)
    }
    const written: string[] = []
    for (const version of missing.reverse()) {
      const file = await version.read()
      if (file)
        written.push(...(await this.put({ typed: typedPath(file), plain: filePath(file.path), file })))
    }
    return written
  }

  /** The address itself last: as long as it is there, the rest may be as well. */
  private async remove(gone: Pick<PublishedFile, 'path' | 'form'>): Promise<string[]> {
    const plain = filePath(gone.path)
    if (!isFilePath(typedPath(gone) + COMPRESSED)) return []
    if (!(await this.folder.exists(plain)) && !(await this.folder.exists(typedPath(gone)))) return []
    await this.folder.remove(typedPath(gone) + COMPRESSED)
    await this.folder.remove(typedPath(gone))
    await this.folder.remove(plain)
    return [plain]
  }
}

const versionPath = (path: string): string => `${OWN_FOLDER}/versions/${filePath(path)}`

const parsePass = (text: Buffer | undefined): number => Number(text?.toString() ?? 0)

/** The system's error, as a sentence for the operator. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = systemCodeOf(error)
    if (isAgentError(error) || code === undefined) throw error
    const message = `the folder of the publication cannot be written to: ${code}`
    throw new AgentError('unavailable', message, { cause: error })
  }
}
