import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  asDid,
  asListName,
  AgentError,
  type AuditRows,
  runInAccountScope,
  type Account,
  type KeyEnvelope,
  type StatusListLocation,
} from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { layMigratedDatabase, migratedDatabase, type Place } from '../../../../test/support/fresh-database.js'
import { migrations, StatusListStore } from '../index.js'

export const temporaryFolder = () => mkdtemp(join(tmpdir(), 'vidimus-status-list-store-'))
export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true })

/** AES-256-GCM with the context as additional data, as the seam asks for; with a secret, and others that it opens. */
export class Envelope implements KeyEnvelope {
  readonly keyId: string
  readonly keyIds: readonly string[]
  readonly headLength = 9
  readonly origin = 'this test'
  readonly makesSecrets = false
  private readonly secrets: ReadonlyMap<string, Buffer>

  constructor(secret = Buffer.alloc(32, 7), ...previous: readonly Buffer[]) {
    this.secrets = new Map([secret, ...previous].map((each) => [each.toString('hex', 0, 4), each]))
    this.keyIds = [...this.secrets.keys()]
    this.keyId = this.keyIds[0]!
  }

  prepare(): Promise<void> {
    return Promise.resolve()
  }

  knows(keyId: string): boolean {
    return this.secrets.has(keyId)
  }

  isInUse(keyId: string): boolean {
    return this.knows(keyId)
  }

  seal(plaintext: string, context: readonly string[], keyId = this.keyId): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.secrets.get(keyId)!, nonce).setAAD(
      Buffer.from(JSON.stringify(context)),
    )
    const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    const parts = [nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))
    return [keyId, ...parts].join('.')
  }

  open(sealed: string, context: readonly string[]): string {
    const [keyId, ...parts] = sealed.split('.')
    const [nonce, body, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.secrets.get(keyId!)!, nonce!)
        .setAAD(Buffer.from(JSON.stringify(context)))
        .setAuthTag(tag!)
      return Buffer.concat([decipher.update(body!), decipher.final()]).toString('utf8')
    } catch {
      throw new AgentError('wrong_secret', 'does not open')
    }
  }

  isSealed(text: string): boolean {
    return text.split('.').length === 4
  }

  keyIdOf(text: string): string | undefined {
    return /^([0-9a-f]{8})\./.exec(text)?.[1]
  }
}

const TABLES = { migrations: [migrations] }

/** The URL of a new database with the tables of this package. */
export const emptyDatabase = (place: Place) => migratedDatabase(place, TABLES)

export async function openDatabase(folder: string, url: string | null = null): Promise<Database> {
  if (url === null) await layMigratedDatabase(folder, TABLES)
  const database = new Database({ url, dataDirectory: folder, ...TABLES })
  await database.lifecycle.start()
  return database
}

export interface OpenStore {
  store: StatusListStore
  database: Database
  close: () => Promise<void>
}

/** A store of a separate process, as far as the database can tell. */
export async function openStore(
  folder: string,
  {
    envelope = new Envelope(),
    clock = () => new Date(),
    url = null,
    audit,
  }: { envelope?: KeyEnvelope; clock?: () => Date; url?: string | null; audit?: AuditRows } = {},
): Promise<OpenStore> {
  const database = await openDatabase(folder, url)
  const store = new StatusListStore({ database, envelope, clock, ...(audit && { audit }) })
  return { store, database, close: () => database.lifecycle.stop() }
}

export const newList = (name = 'employees'): StatusListLocation => ({
  did: asDid(`did:cheqd:testnet:${randomUUID()}`),
  statusListName: asListName(name),
  resourceType: 'StatusList2021Revocation',
})

export const neverUsed: (index: number) => boolean = () => false

/** Takes an index that is free. */
export async function takeFree(
  { indices }: StatusListStore,
  list: StatusListLocation,
  entries: number,
  isUsed = neverUsed,
): Promise<number | undefined> {
  const [index] = await indices.take([{ lists: [list], entries, isUsed }])
  return index
}

/** Takes a certain index. @returns whether it was free */
export async function takeNamed(
  { indices }: StatusListStore,
  list: StatusListLocation,
  index: number,
): Promise<boolean> {
  const [taken] = await indices.take([{ lists: [list], index }])
  return taken !== undefined
}

export const newAccount = (name = 'one'): Account => ({
  id: randomUUID(),
  name,
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** Runs in the scope of an account. */
export const as = <T>(account: Account, work: () => T): T => runInAccountScope(account, work)
