import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError, type KeyEnvelope, type SealedStore } from '@vidimus/core-types'

export interface RotationOptions {
  /** everything that is sealed by one envelope */
  stores: readonly SealedStore[]
  /** the new secret, 32 bytes in hex; default: a random one */
  secret?: string
  /** put the old secrets aside for old backups; default: forget them */
  keepOld?: boolean
  /** texts in one transaction, for which other writers wait; default 100 */
  most?: number
  onProgress?: (progress: RotationProgress) => void
  /** before the earlier secrets are removed; after an interruption it may be called once more */
  onResealed?: (secrets: Pick<Rotation, 'keyId' | 'previous'>) => Promise<void>
  /** ends it after the current transaction; a later call resumes it */
  signal?: AbortSignal
}

/** How far a rotation is. */
export interface RotationProgress {
  /** what is being re-sealed: `private keys` */
  store: string
  /** re-sealed texts so far, of all stores */
  resealed: number
  /** texts to re-seal at the beginning, of all stores */
  total: number
}

/** The result of a rotation. */
export interface Rotation {
  /** id of the secret that everything is sealed with now */
  keyId: string
  /** ids of the earlier secrets */
  previous: readonly string[]
  /** an earlier rotation was gone on with */
  resumed: boolean
  stores: { name: string; resealed: number }[]
  /** files that the old secrets were put aside in */
  kept: readonly string[]
  /** what remains to be done by the operator, as a sentence */
  advice?: string
}

const MOST = 100

/** Passes over one store: the second finds what was still stored with the old secret during the first. */
const MOST_PASSES = 5

/**
 * Re-seals everything with another secret, while others keep working. May be called again after an interruption at
 * any point, and then resumes.
 *
 * The new secret is made durable before anything is sealed with it, and the old one is removed once nothing is sealed
 * with it any more.
 *
 * @returns `undefined` if there is no secret yet
 * @throws AgentError `wrong_secret` if texts do not open although their secret is there: those are unchanged, and the
 *   old secret stays; `unavailable` if the signal has ended it
 */
export async function rotateSecret(options: RotationOptions): Promise<Rotation | undefined> {
  const { stores, secret, keepOld = false } = options
  const envelope = sharedEnvelope(stores)
  if (envelope.keyIds.length === 0) return undefined
  const { replacement } = envelope
  if (!replacement) {
    throw new AgentError('invalid_configuration', 'the configured envelope cannot replace its secret')
  }
  const { keyId, previous, resumed } = await replacement.begin(secret)
  const done = await new Reseal(keyId, options).run()
  await options.onResealed?.({ keyId, previous })
  const { kept, advice } = await replacement.finish({ keepOld })
  return { keyId, previous, resumed, stores: done, kept, ...(advice !== undefined && { advice }) }
}

function sharedEnvelope(stores: readonly SealedStore[]): KeyEnvelope {
  const [envelope, ...others] = new Set(stores.map((store) => store.envelope))
  if (envelope && others.length === 0) return envelope
  const message = envelope
    ? 'the stores of sealed texts have different envelopes; give all of them the same one'
    : 'no configured component has encrypted data'
  throw new AgentError('invalid_configuration', message)
}

class Reseal {
  private total = 0
  private resealed = 0
  private readonly unreadable: string[] = []

  constructor(
    private readonly keyId: string,
    private readonly options: RotationOptions,
  ) {}

  async run(): Promise<Rotation['stores']> {
    const { stores } = this.options
    for (const store of stores) this.total += await this.left(store)
    const done: Rotation['stores'] = []
    for (const store of stores) {
      this.stopWhereAsked()
      await store.sealWith(this.keyId)
      done.push({ name: store.name, resealed: await this.all(store) })
    }
    if (this.unreadable.length > 0) throw unreadable(this.unreadable)
    return done
  }

  private async all(store: SealedStore): Promise<number> {
    let resealed = 0
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const broken: string[] = []
      let begun = performance.now()
      for await (const batch of store.reseal(this.keyId, this.options.most ?? MOST)) {
        resealed += batch.resealed
        this.resealed += batch.resealed
        broken.push(...batch.unreadable)
        this.options.onProgress?.({
          store: store.name,
          resealed: this.resealed,
          total: Math.max(this.total, this.resealed),
        })
        this.stopWhereAsked()
        // As long as the batch took: requests of the running service must get between two of them.
        await sleep(performance.now() - begun)
        begun = performance.now()
      }
      if ((await this.left(store)) > broken.length) continue
      this.unreadable.push(...broken.map((owner) => `${owner} (${store.name})`))
      return resealed
    }
    throw new AgentError('internal_error', `${store.name} are still stored with the old secret`)
  }

  private async left(store: SealedStore): Promise<number> {
    const counts = [...(await store.countSealed())]
    return counts.reduce((sum, [keyId, texts]) => (keyId === this.keyId ? sum : sum + texts), 0)
  }

  private stopWhereAsked(): void {
    if (!this.options.signal?.aborted) return
    throw new AgentError('unavailable', 'the rotation was interrupted; run it again to continue')
  }
}

const SHOWN = 10

function unreadable(owners: readonly string[]): AgentError {
  const more = owners.length > SHOWN ? ` and ${owners.length - SHOWN} more` : ''
  return new AgentError(
    'wrong_secret',
    `${owners.length} encrypted texts cannot be decrypted although their secret is present, so they were damaged or moved: ` +
      `${owners.slice(0, SHOWN).join(', ')}${more}. Everything else is re-encrypted; the old secret is kept. ` +
      'Restore or delete them and run this again',
  )
}
