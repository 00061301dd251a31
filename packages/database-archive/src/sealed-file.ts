import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { AgentError, fileObstacle, isAgentError, systemCodeOf } from '@vidimus/core-types'
import { Decrypter, Encrypter } from 'age-encryption'

/** The fewest characters of a passphrase that an archive is sealed with. */
export const SHORTEST_PASSPHRASE = 12

/** Of scrypt, as a power of two: about a second for each attempt to open an archive. */
const WORK_FACTOR = 18

export interface SealOptions {
  passphrase: string
  /** leaves nothing behind if it is aborted */
  signal?: AbortSignal
  /** of scrypt, as a power of two; default 18 */
  workFactor?: number
}

/**
 * Writes text into a new file, compressed and encrypted with a passphrase (age, version 1). The file gets its name
 * when everything is on the disk.
 *
 * @see https://age-encryption.org/v1
 * @throws AgentError `invalid_input` if the file exists, cannot be written, or the passphrase is too short
 */
export async function writeSealedFile(
  file: string,
  text: AsyncGenerator<string>,
  { passphrase, signal, workFactor = WORK_FACTOR }: SealOptions,
): Promise<void> {
  if ([...passphrase].length < SHORTEST_PASSPHRASE) {
    throw new AgentError(
      'invalid_input',
      `the passphrase must have at least ${SHORTEST_PASSPHRASE} characters`,
    )
  }
  await refuseExisting(file)
  const partial = join(dirname(file), `.${basename(file)}.${process.pid}.partial`)
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  try {
    await pipeline(
      Readable.from(text),
      createGzip(),
      (compressed: AsyncIterable<Uint8Array>) => encrypted(encrypter, compressed),
      createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      { ...(signal && { signal }) },
    )
    await refuseExisting(file)
    await rename(partial, file)
    await syncFolder(dirname(file))
  } catch (error) {
    // Its source must not be in use any more.
    await text.return(undefined)
    await rm(partial, { force: true })
    throw refusal(file, error, signal)
  }
}

function refusal(file: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted)
    return new AgentError('unavailable', 'the export was interrupted; its file was removed')
  const code = isAgentError(error) ? undefined : systemCodeOf(error)
  return code !== undefined && /^E[A-Z]+$/.test(code)
    ? new AgentError('invalid_input', fileObstacle(file, code, 'written'))
    : error
}

async function* encrypted(
  encrypter: Encrypter,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* asIterable(await encrypter.encrypt(asWebStream(plain)))
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file, constants.F_OK).then(
    () => true,
    () => false,
  )
  if (exists)
    throw new AgentError('invalid_input', `the file ${file} already exists; nothing was overwritten`)
}

/** The new name is on the disk as well. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch (error) {
    // Not every file system lets folders be opened; then it keeps names by itself.
    if (systemCodeOf(error) === undefined) throw error
  } finally {
    await handle?.close()
  }
}

/** A file that {@link writeSealedFile} has written; it may be read more than once. */
export class SealedFile {
  private constructor(
    readonly path: string,
    private readonly fileKey: Uint8Array,
  ) {}

  /**
   * Checks that the passphrase opens the file.
   *
   * @throws AgentError `invalid_input`
   */
  static async open(path: string, passphrase: string): Promise<SealedFile> {
    const head = await ageHead(path)
    const decrypter = new Decrypter()
    decrypter.addPassphrase(passphrase)
    try {
      return new SealedFile(path, await decrypter.decryptHeader(head))
    } catch (cause) {
      throw new AgentError(
        'invalid_input',
        `${path} cannot be decrypted: the passphrase is wrong, or the beginning of the file was changed`,
        { cause },
      )
    }
  }

  /**
   * The lines of the text, in batches as they arrive.
   *
   * @throws AgentError `invalid_input` if the file was changed or cut off
   */
  async *lines(): AsyncGenerator<string[]> {
    const decrypter = new Decrypter()
    decrypter.addIdentity({ unwrapFileKey: () => this.fileKey })
    const source = createReadStream(this.path)
    const gunzip = createGunzip()
    // Errors before its end are reported by the stream that is read from.
    const read = pipeline(
      source,
      async function* (sealed: AsyncIterable<Uint8Array>) {
        yield* asIterable(await decrypter.decrypt(asWebStream(sealed)))
      },
      gunzip,
    ).catch(() => undefined)
    try {
      yield* readLines(gunzip)
    } catch (error) {
      throw isAgentError(error) ? error : unreadable(this.path, error)
    } finally {
      gunzip.destroy()
      source.destroy()
      await read
    }
  }
}

function unreadable(path: string, error: unknown): AgentError {
  return new AgentError('invalid_input', `${path} was changed or truncated and cannot be used`, {
    cause: error,
  })
}

const LINE_FEED = 10

async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let begun: Buffer[] = []
  for await (const chunk of stream) {
    const last = chunk.lastIndexOf(LINE_FEED)
    if (last < 0) {
      begun.push(chunk)
      continue
    }
    const whole = Buffer.concat([...begun, chunk.subarray(0, last)]).toString('utf8')
    begun = [chunk.subarray(last + 1)]
    yield whole.split('\n')
  }
  if (begun.some(({ length }) => length > 0)) yield [Buffer.concat(begun).toString('utf8')]
}

const LONGEST_HEAD = 8_192
const FIRST_LINE = 'age-encryption.org/v1\n'

/** The lines before the encrypted part; the last one begins with `---`. */
async function ageHead(path: string): Promise<Uint8Array> {
  const beginning = await readBeginning(path)
  const text = beginning.toString('latin1')
  const [head] = /^[^]*?\n---[^\n]*\n/.exec(text) ?? []
  if (!text.startsWith(FIRST_LINE) || head === undefined) {
    throw new AgentError('invalid_input', `${path} is not an archive, or it was changed or truncated`)
  }
  return beginning.subarray(0, head.length)
}

async function readBeginning(path: string): Promise<Buffer> {
  try {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_HEAD), 0, LONGEST_HEAD, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    throw new AgentError(
      'invalid_input',
      code === 'ENOENT' ? `there is no file ${path}` : fileObstacle(path, code, 'read'),
    )
  }
}

const asWebStream = (chunks: AsyncIterable<Uint8Array>) => ReadableStream.from(chunks)

const asIterable = (stream: unknown) => stream as AsyncIterable<Uint8Array>
