import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

export type DIDRotateKeyArgs = z.output<typeof schemas.DIDRotateKeyArgs>

export type DIDRotation = z.output<typeof schemas.DIDRotation>

/** Changes of the key that signs for a DID of the account in scope, in one operation. */
export interface IDIDRotation extends IPluginMethodMap {
  /**
   * Begins a rotation, and continues for as long as a caller can wait; the rest is done in the background. A repeated
   * call while it runs returns the same rotation, and may change `gracePeriod`.
   *
   * @throws AgentError `did_not_found`, `key_not_found`, `did_deactivated`, `ledger_rule` and the like;
   *   `invalid_input` for a DID that is only its key, and for another `key` or `kms` than those of the running
   *   rotation
   */
  didRotateKey(args: DIDRotateKeyArgs): Promise<DIDRotation>
  /** The last one. @throws AgentError `rotation_not_found` */
  didRotationGet(args: { did: string }): Promise<DIDRotation>
  /** For the start of a server: it needs no scope. */
  didRotationContinue(args: {}): Promise<{ ended: number }>
}
