import type { IAgentPlugin } from '@veramo/core-types'
import { currentAccount, hasMethods, log, type ErasesKeys } from '@vidimus/core-types'
import { homeOf } from '@vidimus/database'
import { workOn, type HeldWork, type WorkKind, type WorkOutcome } from '@vidimus/work'
import { AccountKeyStore } from './account-key-store.js'
import type { UnitOfWork } from './unit-of-work.js'

export const KEY_ERASURE = 'key-erasure'

/**
 * Keys that their accounts have deleted, and that are still to be erased in a KMS elsewhere. The transaction of the deletion
 * decides: if it is refused, as a DID has got the key meanwhile, nothing is erased.
 */
export class KeyErasures implements WorkKind {
  readonly name = KEY_ERASURE
  readonly most = 4
  readonly share = 1
  private readonly store: AccountKeyStore
  private isRunning = false

  constructor(
    private readonly unit: UnitOfWork,
    /** of the key manager, by name */
    private readonly kms: Readonly<Record<string, unknown>>,
  ) {
    this.store = new AccountKeyStore(unit)
  }

  /** @returns `undefined` if the plugin is no key manager */
  static of(unit: UnitOfWork, plugin: IAgentPlugin): KeyErasures | undefined {
    if (!plugin.methods?.keyManagerDelete || !('kms' in plugin)) return undefined
    return new KeyErasures(unit, plugin.kms as Readonly<Record<string, unknown>>)
  }

  /**
   * Deletes a key that is erased elsewhere afterwards, as part of the unit.
   *
   * @returns `undefined` if its KMS is none of those: nothing is done
   * @throws AgentError `invalid_input` if the KMS may not erase keys
   */
  async delete(kid: string): Promise<boolean | undefined> {
    const key = await this.store.getKey({ kid })
    const kms = this.kms[key.kms]
    if (!erasesKeys(kms)) return undefined
    const owner = currentAccount().id
    const dueAt = new Date()
    const name = JSON.stringify([kid, kms.erasureName(key)])
    const item = { home: homeOf(owner), key: name, owner, dueAt, since: dueAt, payload: key.kms }
    await this.unit.stage(
      ({ connection }) => Promise.resolve(workOn(this.unit.database).add(connection, this.name, item, dueAt)),
      () => undefined,
    )
    return this.store.deleteKey({ kid })
  }

  /** Erases in the background what waits, now and from then on. */
  begin(): void {
    if (this.isRunning || this.unit.database.isReadOnly) return
    if (!Object.values(this.kms).some(erasesKeys)) return
    this.isRunning = true
    workOn(this.unit.database).run(this)
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return
    await workOn(this.unit.database).stop(this.name)
    this.isRunning = false
  }

  async handle({ item: { key, owner, payload = '' } }: HeldWork): Promise<WorkOutcome> {
    const kms = this.kms[payload]
    if (!erasesKeys(kms)) throw new Error(`the KMS "${payload}" of a deleted key is not configured`)
    const [, name = ''] = JSON.parse(key) as string[]
    await kms.eraseKey(name, owner)
    return { isDone: true }
  }

  onFailure(error: unknown): void {
    log('warn', 'a deleted key could not be erased in its KMS; it will be retried', {}, error)
  }
}

const erasesKeys = (kms: unknown): kms is ErasesKeys => hasMethods(kms, 'erasureName', 'eraseKey')
