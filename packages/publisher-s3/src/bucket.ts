import { createHash } from 'node:crypto'
import type * as Sdk from '@aws-sdk/client-s3'
import { AgentError, waitsForNetworks } from '@vidimus/core-types'
import type { ParsedOptions } from './options.js'

/** The data of an object in its headers. */
export interface StoredObject {
  etag: string
  contentType?: string | undefined
  cacheControl?: string | undefined
  /** what this service has written with it */
  metadata: Readonly<Record<string, string>>
}

/** An object that is to be there. */
export interface NewObject {
  key: string
  body: Uint8Array
  contentType: string
  cacheControl: string
  metadata: Readonly<Record<string, string>>
}

/** Checksum of a body, as objects carry it. */
export const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64')

/** Another process has written the object since it was read, or is writing it. */
const OVERTAKEN = new Set([409, 412])

/** A bucket, over the client of AWS, which is loaded when it is first needed. */
export class Bucket {
  private loaded: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined

  constructor(private readonly options: ParsedOptions) {}

  /** @returns `undefined` if there is none */
  async head(key: string): Promise<StoredObject | undefined> {
    const found = await this.unlessMissing(({ sdk, client }) =>
      client.send(new sdk.HeadObjectCommand(this.named(key))),
    )
    return found && stored(found)
  }

  async get(key: string): Promise<(StoredObject & { body: Uint8Array }) | undefined> {
    const found = await this.unlessMissing(({ sdk, client }) =>
      client.send(new sdk.GetObjectCommand(this.named(key))),
    )
    if (!found) return undefined
    const body = (await found.Body?.transformToByteArray()) ?? new Uint8Array()
    return { ...stored(found), body }
  }

  /**
   * Replaces the object that was read, or creates it if there was none.
   *
   * @returns whether it was written; not if another process was faster
   */
  async put(object: NewObject, before: StoredObject | undefined): Promise<boolean> {
    const condition = before ? { IfMatch: before.etag } : { IfNoneMatch: '*' }
    try {
      await this.send(({ sdk, client }) =>
        client.send(
          new sdk.PutObjectCommand({
            ...this.named(object.key),
            Body: object.body,
            ContentType: object.contentType,
            CacheControl: object.cacheControl,
            Metadata: { ...object.metadata },
            ChecksumSHA256: sha256(object.body),
            ...condition,
          }),
        ),
      )
      return true
    } catch (error) {
      if (OVERTAKEN.has(httpStatus(error) ?? 0)) return false
      // If the object is gone, there is no tag to match.
      if (before && httpStatus(error) === 404) return false
      throw error
    }
  }

  async remove(key: string): Promise<void> {
    await this.unlessMissing(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(this.named(key))))
  }

  /** What is at the top: objects, and folders without a slash. */
  async top(): Promise<{ keys: string[]; folders: string[] }> {
    const found = { keys: [] as string[], folders: [] as string[] }
    for await (const { Contents = [], CommonPrefixes = [] } of this.listed('', '/')) {
      found.keys.push(...Contents.map(({ Key = '' }) => this.withoutPrefix(Key)))
      found.folders.push(...CommonPrefixes.map(({ Prefix = '' }) => this.withoutPrefix(Prefix).slice(0, -1)))
    }
    return found
  }

  /** All objects whose keys begin so. */
  async *keys(beginning: string): AsyncGenerator<string> {
    for await (const { Contents = [] } of this.listed(beginning))
      for (const { Key = '' } of Contents) yield this.withoutPrefix(Key)
  }

  private async *listed(
    beginning: string,
    delimiter?: string,
  ): AsyncGenerator<Sdk.ListObjectsV2CommandOutput> {
    const { Bucket, Key: Prefix } = this.named(beginning)
    let page: Sdk.ListObjectsV2CommandOutput | undefined
    do {
      const token = page?.NextContinuationToken
      page = await this.send(({ sdk, client }) =>
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket,
            Prefix,
            ...(delimiter !== undefined && { Delimiter: delimiter }),
            ...(token !== undefined && { ContinuationToken: token }),
          }),
        ),
      )
      yield page
    } while (page.NextContinuationToken !== undefined)
  }

  private withoutPrefix(key: string): string {
    const { prefix } = this.options
    return prefix === undefined ? key : key.slice(prefix.length + 1)
  }

  private named(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.options
    return { Bucket: bucket, Key: prefix === undefined ? key : `${prefix}/${key}` }
  }

  private async unlessMissing<T>(
    request: (parts: { sdk: typeof Sdk; client: Sdk.S3Client }) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await this.send(request)
    } catch (error) {
      if (httpStatus(error) === 404) return undefined
      throw error
    }
  }

  /** @throws AgentError `unavailable`, except for refusals that their callers know what to do with */
  private async send<T>(
    request: (parts: { sdk: typeof Sdk; client: Sdk.S3Client }) => Promise<T>,
  ): Promise<T> {
    this.loaded ??= this.load()
    try {
      const parts = await this.loaded
      return await waitsForNetworks.during(() => request(parts))
    } catch (cause) {
      const status = httpStatus(cause)
      if ((status === 404 && errorName(cause) !== 'NoSuchBucket') || OVERTAKEN.has(status ?? 0)) throw cause
      const said = status === undefined ? 'cannot be reached' : `responded with ${status}`
      throw new AgentError('unavailable', `the bucket of the publication ${said}: ${errorName(cause)}`, {
        cause,
      })
    }
  }

  private async load(): Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> {
    const sdk = await import('@aws-sdk/client-s3')
    const { endpoint, region, accessKeyId, secretAccessKey, timeoutMs, attempts, ...options } = this.options
    const client = new sdk.S3Client({
      ...(endpoint !== undefined && { endpoint, region: region ?? 'us-east-1' }),
      ...(region !== undefined && { region }),
      forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
      maxAttempts: attempts,
      requestHandler: {
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
      },
    })
    return { sdk, client }
  }
}

const stored = (
  found: Pick<Sdk.HeadObjectCommandOutput, 'ETag' | 'ContentType' | 'CacheControl' | 'Metadata'>,
): StoredObject => ({
  etag: found.ETag ?? '',
  contentType: found.ContentType,
  cacheControl: found.CacheControl,
  metadata: found.Metadata ?? {},
})

/** Of an error of the client. */
const httpStatus = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'an unknown error')
