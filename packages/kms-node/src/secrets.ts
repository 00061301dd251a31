import type { BegunReplacement, FinishedReplacement } from '@vidimus/core-types'

/** The source of an envelope's secrets. */
export interface Secrets {
  /** for a sentence: `the file /srv/kms-secret.key` */
  readonly origin: string
  /** whether {@link make} creates one */
  readonly areMadeHere: boolean
  /**
   * All of them as they are now, the current one first; 64 lower-case hex characters each.
   *
   * @throws AgentError `invalid_configuration`
   */
  read(): readonly string[]
  /** Creates and stores one if there is none. */
  make(): Promise<void>
  /** See `SecretReplacement`. */
  begin(secret?: string): Promise<Omit<BegunReplacement, 'keyId' | 'previous'>>
  finish(options: { keepOld: boolean }): Promise<FinishedReplacement>
}
