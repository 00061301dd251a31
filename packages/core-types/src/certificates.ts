import type { IPluginMethodMap } from '@veramo/core-types'
import type { Kid } from './names.js'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

export type CertificateVerifyArgs = z.output<typeof schemas.CertificateVerifyArgs>

export type CertificateVerifyResult = z.output<typeof schemas.CertificateVerifyResult>

export type KeyCertificateSetArgs = z.output<typeof schemas.KeyCertificateSetArgs>

export type KeyCertificateArgs = z.output<typeof schemas.KeyCertificateArgs>

export type KeyCertificateGetArgs = z.output<typeof schemas.KeyCertificateGetArgs>

export type KeyCertificateRequest = z.output<typeof schemas.KeyCertificateRequest>

export type KeyCertificate = z.output<typeof schemas.KeyCertificate>

/** Keeps the certificates of keys of the account in scope. */
export interface KeyCertificateStore {
  /**
   * @param did - must have the key
   * @returns in base64 DER; `undefined` where the key has none, or there is no such key
   */
  find(kid: Kid, did?: string): Promise<readonly string[] | undefined>
  /**
   * @param chain - empty: the key has none from then on
   * @throws AgentError `key_not_found`
   */
  put(kid: Kid, chain: readonly string[], expiresAt: Date | undefined): Promise<void>
  /** those of all accounts, for the operator */
  all(): Promise<{ kid: string; chain: readonly string[] }[]>
}

/** X.509 certificates beside DIDs. */
export interface ICertificates extends IPluginMethodMap {
  /**
   * Verifies a chain: the way to a trust anchor, validity, basic constraints, key usage, name constraints, and that the leaf names
   * the issuer.
   *
   * @throws AgentError `invalid_credential`
   */
  certificateVerify(args: CertificateVerifyArgs): Promise<CertificateVerifyResult>
}

/** Certificates of keys in custody. */
export interface IKeyCertificates extends IPluginMethodMap {
  /** @throws AgentError `key_not_found`, `invalid_input` for a key that does not sign */
  keyCertificateRequest(args: KeyCertificateArgs): Promise<KeyCertificateRequest>
  /** @throws AgentError `key_not_found`, `invalid_input` */
  keyCertificateSet(args: KeyCertificateSetArgs): Promise<KeyCertificate>
  /** @returns `null` for a key without */
  keyCertificateGet(args: KeyCertificateGetArgs): Promise<KeyCertificate | null>
}
