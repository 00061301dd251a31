import type { IPluginMethodMap } from '@veramo/core-types'
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
