import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

export type CertificateVerifyArgs = z.output<typeof schemas.CertificateVerifyArgs>

export type CertificateVerifyResult = z.output<typeof schemas.CertificateVerifyResult>

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
