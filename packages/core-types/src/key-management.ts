import type { IKey, IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import { problemsError } from './errors.js'
import type * as schemas from './schemas/index.js'

/** A configured KMS; without `keyTypes` and `importsKeys` its capabilities are unknown, or not available now. */
export type ListedKms = z.output<typeof schemas.ListedKms>

/** The capabilities of a KMS. */
export type KmsAbilities = Required<Omit<ListedKms, 'name'>>

/** A KMS that reports its capabilities. Veramo's own and third-party ones need not. */
export interface HasKmsAbilities {
  /** @throws AgentError `unavailable` while they cannot be determined, for example without a token */
  abilities(): KmsAbilities | Promise<KmsAbilities>
}

/**
 * A KMS elsewhere, which no transaction of ours spans. Its keys are erased once their account no longer has them: a key that is
 * still in use is never gone, and one that nobody has does not stay.
 */
export interface ErasesKeys {
  /**
   * The name that a key is erased by later.
   *
   * @throws AgentError `invalid_input` if keys may not be erased
   */
  erasureName(key: Pick<IKey, 'publicKeyHex' | 'meta'>): string
  /**
   * Erases a key; repeated until it succeeds. One that is not there has been erased.
   *
   * @param account - the id of the account that had it: there is no caller
   */
  eraseKey(name: string, account: string): Promise<void>
}

/**
 * A KMS's definition of a key type.
 *
 * @param type - as a caller names it
 * @param where - the KMS, as the end of the message: `in the key service`
 * @throws AgentError `invalid_input` for an unsupported type
 */
export function demandKeyType<Known extends { readonly type: string }>(
  known: readonly Known[],
  type: string,
  where: string,
): Known {
  const found = known.find((one) => one.type === type)
  if (found) return found
  const message = `must be one of ${known.map((one) => one.type).join(', ')} for a key ${where}`
  throw problemsError('invalid_input', [{ path: 'type', message }])
}

/** The configured KMSs, beside the names of them that Veramo's key manager knows. */
export interface IKeyManagement extends IPluginMethodMap {
  keyManagerListKms(): Promise<ListedKms[]>
}
