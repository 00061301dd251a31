import { z } from 'zod'
import { count, flag } from '../option-values.js'

/** Where Prometheus metrics are served. Absent: nowhere. */
export interface MetricsOptions {
  /** a separate port; 0 lets the system choose, `null`: none */
  port?: number | string | null
  /** the address of that port; default `127.0.0.1` */
  host?: string
  /** token required to read them, sent as `authorization: Bearer <token>`; 16 to 512 characters without spaces */
  token?: string | null
  /** also at `/metrics` of the main port, which requires a token; default `false` */
  public?: boolean | string
}

export const MetricsSchema = z
  .strictObject({
    port: count(0, 65535).nullish(),
    host: z
      .string('must be a host name or an address')
      .min(1, 'must be a host name or an address')
      .default('127.0.0.1'),
    token: z
      .string('must be text')
      .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 characters of ASCII without spaces')
      .nullish(),
    public: flag.default(false),
  })
  .refine(({ token, public: isPublic }) => !isPublic || typeof token === 'string', {
    path: ['token'],
    message: 'is required if metrics are public, as they show how the service is used',
  })
