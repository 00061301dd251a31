import type { IPluginMethodMap } from '@veramo/core-types'

/** The relationships of a DID document that can allow a key to sign a JWT. */
export type SigningRelationship = 'assertionMethod' | 'authentication'

export interface DIDJwtCreateArgs {
  /** who signs: a DID that the account in scope holds */
  did: string
  payload: Record<string, unknown>
  /** `alg` and `kid` are added, the latter as the full id of the verification method */
  header?: Record<string, unknown>
  /** default `assertionMethod` */
  relationship?: SigningRelationship
}

export interface DIDJwtVerifyArgs {
  jwt: string
  /** who must have signed: the `kid` must be a verification method of this DID */
  did: string
  /** default `assertionMethod` */
  relationship?: SigningRelationship
}

export interface DIDJwtVerifyResult {
  header: Record<string, unknown>
  payload: Record<string, unknown>
  /** id of the verification method whose key verified the signature */
  signer: string
}

/** JWTs signed with the keys of DIDs: the signature alone, no claim is looked at. */
export interface IDIDJwt extends IPluginMethodMap {
  /**
   * @throws AgentError `did_not_found` where the account does not hold the DID, `key_not_found` where it holds none
   * of the keys that the relationship allows, `did_not_resolvable`, `did_deactivated`
   */
  didJwtCreate(args: DIDJwtCreateArgs): Promise<string>
  /**
   * Verifies against the DID document as it resolves now.
   *
   * @throws AgentError `invalid_credential` where the JWT is malformed or the signature does not fit,
   * `did_not_resolvable`, `did_deactivated`
   */
  didJwtVerify(args: DIDJwtVerifyArgs): Promise<DIDJwtVerifyResult>
}
