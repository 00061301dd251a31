import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import { problemsError } from './errors.js'
import type * as schemas from './schemas/index.js'

/** A configured KMS; without `keyTypes` and `importsKeys` it does not say what it can do, or cannot now. */
export type ListedKms = z.output<typeof schemas.ListedKms>

/** What a KMS can do. */
export type KmsAbilities = Required<Omit<ListedKms, 'name'>>

/** A KMS that says what it can do. Veramo's own, and those of others, need not. */
export interface HasKmsAbilities {
  /** @throws AgentError `unavailable` while that cannot be told, as of a token that is not there */
  abilities(): KmsAbilities | Promise<KmsAbilities>
}

/**
 * What a KMS knows of a type of keys.
 *
 * @param type - as a caller names it
 * @param where - the KMS, as the refusal ends: `in the key service`
 * @throws AgentError `invalid_input` for a type that is none of them
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
