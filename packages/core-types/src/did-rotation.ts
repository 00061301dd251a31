import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

export type DIDRotateKeyArgs = z.output<typeof schemas.DIDRotateKeyArgs>

export type DIDRotation = z.output<typeof schemas.DIDRotation>

/** Changes of the key that signs for a DID of the account in scope, in one operation. */
export interface IDIDRotation extends IPluginMethodMap {
  /**
   * Begins to rotate, and goes on for as long as a caller can wait; what is left is done in the background. Asked for again
   * while it runs, it is the same rotation, to which another `gracePeriod` may be given.
   *
   * @throws AgentError `did_not_found`, `key_not_found`, `did_deactivated`, `ledger_rule` and the like; `invalid_input` for a DID
   * that is nothing but its key, and for another `key` or `kms` than those of the rotation that runs
   */
  didRotateKey(args: DIDRotateKeyArgs): Promise<DIDRotation>
  /** The last one. @throws AgentError `rotation_not_found` */
  didRotationGet(args: { did: string }): Promise<DIDRotation>
  /** For the start of a server: it needs no scope. */
  didRotationContinue(args: {}): Promise<{ ended: number; left: number }>
}
