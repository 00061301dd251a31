import type { FinishedReplacement } from '@vidimus/core-types'
import { misconfigured } from './secret-shape.js'
import type { Secrets } from './secrets.js'

const PROCEDURE =
  'the secret is passed as a value, which only you can replace: 1. set KMS_SECRET_KEY to a new one ' +
  '(openssl rand -hex 32) and KMS_SECRET_KEY_PREVIOUS to the current one, and restart every process of this service; ' +
  '2. run this again with the same two; 3. remove KMS_SECRET_KEY_PREVIOUS'

/** Secrets that were given as values, for example from the environment. */
export class GivenSecrets implements Secrets {
  readonly areMadeHere = false
  readonly #secrets: readonly string[]

  /**
   * @param secrets - checked, the current one first
   * @param origin - for a sentence
   */
  constructor(
    secrets: readonly string[],
    readonly origin: string,
  ) {
    this.#secrets = [...new Set(secrets)]
  }

  read(): readonly string[] {
    return this.#secrets
  }

  async make(): Promise<void> {
    // There is one already.
  }

  begin(secret?: string): Promise<{ resumed: boolean }> {
    return secret !== undefined || this.#secrets.length < 2
      ? Promise.reject(misconfigured('value', PROCEDURE))
      : Promise.resolve({ resumed: false })
  }

  finish({ keepOld }: { keepOld: boolean }): Promise<FinishedReplacement> {
    const removal = 'Remove KMS_SECRET_KEY_PREVIOUS and restart: nothing is encrypted with it any longer'
    return Promise.resolve({
      kept: [],
      advice: keepOld ? `${removal}. Keep it for the backups made before` : removal,
    })
  }
}
