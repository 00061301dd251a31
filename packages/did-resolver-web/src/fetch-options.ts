import { z } from 'zod'

/** How much of a stranger's host is waited for and read, as every resolver that asks one takes it in `agent.yml`. */
export interface FetchOptions {
  /** for one request, in milliseconds; default 5000 */
  timeoutMs?: number
  /** of the host's response */
  maxBytes?: number
  /**
   * Also contact hosts of the internal network. Anyone who names a DID can then make the service send requests there,
   * so the default is `false`.
   */
  allowPrivateAddresses?: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities?: string
}

export const fetchOptions = (defaultMaxBytes: number) =>
  z.strictObject({
    timeoutMs: z.int().min(1).max(60_000).default(5000),
    maxBytes: z.int().min(1024).max(16_777_216).default(defaultMaxBytes),
    allowPrivateAddresses: z.boolean().default(false),
    certificateAuthorities: z.string().optional(),
  })
