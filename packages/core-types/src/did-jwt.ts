import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** The relationships of a DID document that can allow a key to sign a JWT. */
export type SigningRelationship = NonNullable<DIDJwtCreateArgs['relationship']>

export type DIDJwtCreateArgs = z.output<typeof schemas.DIDJwtCreateArgs>

export type DIDJwtVerifyArgs = z.output<typeof schemas.DIDJwtVerifyArgs>

export type DIDJwtVerifyResult = z.output<typeof schemas.DIDJwtVerifyResult>

/** JWTs signed with the keys of DIDs: only the signature; claims are not checked. */
export interface IDIDJwt extends IPluginMethodMap {
  /**
   * @throws AgentError `did_not_found` if the account does not hold the DID, `key_not_found` if it holds none of the
   *   keys that the relationship allows, `did_not_resolvable`, `did_deactivated`
   */
  didJwtCreate(args: DIDJwtCreateArgs): Promise<string>
  /**
   * Verifies against the DID document as it resolves now.
   *
   * @throws AgentError `invalid_credential` if the JWT is malformed or the signature does not match,
   *   `did_not_resolvable`, `did_deactivated`
   */
  didJwtVerify(args: DIDJwtVerifyArgs): Promise<DIDJwtVerifyResult>
}
