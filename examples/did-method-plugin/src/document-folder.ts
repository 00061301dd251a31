import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DIDDocument } from 'did-resolver'

const DID = /^did:folder:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** A document as its file has it. */
export interface FiledDocument {
  didDocument: DIDDocument
  /** ISO 8601 */
  created: string
  updated?: string
}

/** The folder with the documents of did:folder, one file each. */
export class DocumentFolder {
  /** Writers in this process wait for each other; each change is based on the result of the previous one. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(private readonly path: string) {}

  /** @returns `undefined` if there is none; throws if the DID is not one of this method */
  async read(did: string): Promise<FiledDocument | undefined> {
    try {
      return JSON.parse(await readFile(this.fileOf(did), 'utf8')) as FiledDocument
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  /**
   * Changes a document, or files a new one.
   *
   * @param change - gets what there is
   */
  async change(
    did: string,
    change: (filed: FiledDocument | undefined) => FiledDocument,
  ): Promise<FiledDocument> {
    const work = this.last.then(async () => {
      const filed = change(await this.read(did))
      await this.write(this.fileOf(did), filed)
      return filed
    })
    this.last = work.catch(() => undefined)
    return work
  }

  /** A reader sees the old file or the new one, never a part of it, also after a crash. */
  private async write(file: string, filed: FiledDocument): Promise<void> {
    await mkdir(this.path, { recursive: true })
    const draft = `${file}.${randomUUID()}`
    try {
      await writeFile(draft, `${JSON.stringify(filed, null, 2)}\n`, { flush: true })
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  /** The identifier becomes a file name, so nothing but a UUID may be one. */
  private fileOf(did: string): string {
    const [, id] = DID.exec(did) ?? []
    if (id === undefined) throw new Error('invalid_argument: did: is not a DID of did:folder')
    return join(this.path, `${id}.json`)
  }
}

export const isFolderDid = (did: string): boolean => DID.test(did)
