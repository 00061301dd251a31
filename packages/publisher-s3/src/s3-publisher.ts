import {
  AgentError,
  parseOptions,
  type KeptVersion,
  type PublicationDifference,
  type PublishedDocument,
  type PublishedFile,
  type PublishedPath,
  type Publisher,
  type ReadPublished,
  type StoredFile,
} from '@vidimus/core-types'
import { Bucket, sha256, type NewObject, type StoredObject } from './bucket.js'
import { Options, type S3PublisherOptions } from './options.js'

/** Other writers of one document may win this often before it is left for later. */
const MOST_ATTEMPTS = 8
/** Of this package alone. */
const OWN_FOLDER = '.vidimus'
/** Written twice, to find out whether the store supports conditions. */
const PROBE = '.vidimus/conditions'
/** That everything was published there once. */
const FILLED = '.vidimus/filled'
/** The number of the last pass. */
const PASS = '.vidimus/pass'

/**
 * Publishes into a bucket of S3, or of any store with conditional writes. A version only replaces the object that was
 * there before the version was read: a faster writer has read the same or something newer.
 */
export class S3Publisher implements Publisher {
  readonly place: string
  private readonly bucket: Bucket

  /** @throws AgentError `invalid_configuration` */
  constructor(options: S3PublisherOptions) {
    const parsed = parseOptions(Options, options)
    const { endpoint, bucket, prefix } = parsed
    const host = endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`
    this.place = `bucket ${bucket}${host}${prefix === undefined ? '' : `, below ${prefix}`}`
    this.bucket = new Bucket(parsed)
  }

  /** @throws AgentError `unavailable` for a store that would let an older version replace a newer one */
  async begin(): Promise<void> {
    const object = objectAt(PROBE, {
      body: Buffer.from('whether this store knows conditional writes\n'),
      contentType: 'text/plain',
      cacheControl: 'no-store',
    })
    await this.bucket.put(object, undefined)
    const refused =
      !(await this.bucket.put(object, undefined)) &&
      !(await this.bucket.put(object, { etag: '"00000000000000000000000000000000"', metadata: {} }))
    if (refused) return
    const message =
      'the store of the publication does not support conditional writes (If-Match, If-None-Match), without which an older version could replace a newer one'
    throw new AgentError('unavailable', message)
  }

  async isFilled(): Promise<boolean> {
    return (await this.bucket.head(FILLED)) !== undefined
  }

  async noteFilled(): Promise<void> {
    const body = Buffer.from(`${new Date().toISOString()}\n`)
    await this.bucket.put(
      objectAt(FILLED, { body, contentType: 'text/plain', cacheControl: 'no-store' }),
      await this.bucket.head(FILLED),
    )
  }

  async lastPass(): Promise<number> {
    return Number((await this.bucket.head(PASS))?.metadata.pass ?? 0)
  }

  async notePass(pass: number): Promise<void> {
    const object = objectAt(PASS, {
      body: Buffer.from(`${pass}\n`),
      contentType: 'text/plain',
      cacheControl: 'no-store',
    })
    object.metadata = { ...object.metadata, pass: String(pass) }
    for (;;) {
      const before = await this.bucket.head(PASS)
      if (Number(before?.metadata.pass ?? 0) >= pass) return
      if (await this.bucket.put(object, before)) return
    }
  }

  async stored(file: PublishedPath): Promise<StoredFile | undefined> {
    const found = await this.bucket.get(objectKey(file))
    if (!found) return undefined
    const { version: id, time } = found.metadata
    return { body: found.body, ...(id !== undefined && time !== undefined && { version: { id, time } }) }
  }

  async *paths(except: readonly string[]): AsyncIterable<string> {
    const { keys, folders } = await this.bucket.top()
    yield* keys
    for (const folder of folders)
      if (folder !== OWN_FOLDER && !except.includes(folder)) yield* this.bucket.keys(`${folder}/`)
  }

  async publish(read: ReadPublished): Promise<void> {
    // Its parts must be known before the target can be checked.
    let expected = await read()
    for (let attempt = 1; expected !== undefined; attempt += 1) {
      const keys = objectKeys(expected)
      const before = await this.heads(keys)
      const document = await read()
      if (!document) return
      demandOlder([...before.values()], document)
      const isKnown = objectKeys(document).every((key) => before.has(key))
      if (isKnown && (await this.write(document, before))) return
      if (attempt === MOST_ATTEMPTS) {
        throw new AgentError('version_conflict', 'other processes always published it first')
      }
      expected = document
    }
  }

  async compare({ files, history }: PublishedDocument): Promise<PublicationDifference[]> {
    const compared = files.map(async (file): Promise<PublicationDifference[]> => {
      const key = objectKey(file)
      const there = await this.bucket.get(key)
      if (!there) return [{ path: key, found: 'missing' }]
      const isSame =
        Buffer.from(there.body).equals(file.body) &&
        there.contentType === file.contentType &&
        there.cacheControl === file.cacheControl
      return isSame ? [] : [{ path: key, found: 'different' }]
    })
    const kept = history.map(async (version): Promise<PublicationDifference[]> => {
      if (await this.bucket.head(version.path)) return []
      return (await version.read()) ? [{ path: version.path, found: 'missing' }] : []
    })
    return (await Promise.all([...compared, ...kept])).flat()
  }

  async check(): Promise<void> {
    await this.bucket.head(PROBE)
  }

  private async heads(keys: readonly string[]): Promise<Map<string, StoredObject | undefined>> {
    return new Map(await Promise.all(keys.map(async (key) => [key, await this.bucket.head(key)] as const)))
  }

  /** @returns whether all of it is there now; not if another process has come between */
  private async write(
    { files, history, gone, version }: PublishedDocument,
    before: ReadonlyMap<string, StoredObject | undefined>,
  ): Promise<boolean> {
    await this.keep(history)
    const written = await Promise.all(
      files.map(async (file) => {
        const object = objectAt(objectKey(file), file, version)
        const there = before.get(object.key)
        return isSame(there, object) ? true : this.bucket.put(object, there)
      }),
    )
    if (!written.every(Boolean)) return false
    await Promise.all(gone.map(({ path }) => this.bucket.remove(path)))
    return true
  }

  /** If one is there, so are all earlier ones. */
  private async keep(history: readonly KeptVersion[]): Promise<void> {
    const missing: KeptVersion[] = []
    for (const version of history) {
      if (await this.bucket.head(version.path)) break
      missing.push(version)
    }
    for (const version of missing.reverse()) {
      const file = await version.read()
      // If another process has written it meanwhile, it is the same for ever.
      if (file) await this.bucket.put(objectAt(version.path, file), undefined)
    }
  }
}

/** The default form is at the address itself. */
const objectKey = ({ path, form, isUsual }: PublishedPath): string => (isUsual ? path : `${path}.${form}`)

const objectKeys = ({ files }: PublishedDocument): string[] => files.map(objectKey)

function objectAt(
  key: string,
  { body, contentType, cacheControl }: Pick<PublishedFile, 'body' | 'contentType' | 'cacheControl'>,
  version?: PublishedDocument['version'],
): NewObject {
  const metadata = { sha256: sha256(body), ...(version && { version: version.id, time: version.time }) }
  return { key, body, contentType, cacheControl, metadata }
}

const isSame = (there: StoredObject | undefined, object: NewObject): boolean =>
  there?.contentType === object.contentType &&
  there.cacheControl === object.cacheControl &&
  there.metadata.sha256 === object.metadata.sha256 &&
  there.metadata.version === object.metadata.version

/** @throws AgentError `version_conflict` if the bucket is ahead of the ledger, as after a restore from a backup */
function demandOlder(there: readonly (StoredObject | undefined)[], { version }: PublishedDocument): void {
  if (!version) return
  for (const object of there) {
    const time = object?.metadata.time
    if (time === undefined || time <= version.time) continue
    throw new AgentError(
      'version_conflict',
      `the bucket of the publication has a version of ${time}, which is newer than that of the ledger, ${version.time}`,
    )
  }
}
