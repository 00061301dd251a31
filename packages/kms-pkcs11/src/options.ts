import { z } from 'zod'

const Text = (name: string) => z.string(`${name} must be text`).min(1, `${name} must not be empty`)

export const Options = z.strictObject({
  library: Text('library'),
  token: Text('token').max(32, 'token must be a label of at most 32 characters'),
  // A PIN that YAML or a variable turned into a number is still a PIN.
  pin: z.union([Text('pin'), z.number().int().nonnegative().transform(String)]),
  sessions: z.number().int().min(1).max(64).default(2),
  timeoutMs: z.number().int().min(100).max(600_000).default(10_000),
})

export type ParsedOptions = z.infer<typeof Options>

/** The configuration of a token in `agent.yml`. */
export interface Pkcs11Options {
  /** path of the vendor's PKCS#11 library, for example `/usr/lib/softhsm/libsofthsm2.so` */
  library: string
  /** label of the token, which must be unique among the tokens of the library */
  token: string
  /** PIN of the token's user */
  pin: string | number
  /**
   * Sessions that are open at a time, and so signatures under way; default 2. Each takes one of the threads of libuv
   * (`UV_THREADPOOL_SIZE`, 4 by default), which SQLite needs as well.
   */
  sessions?: number
  /** how long a request waits for a session and the token's response, in milliseconds; default 10,000 */
  timeoutMs?: number
}
