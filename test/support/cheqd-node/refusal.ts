/** A node's refusal as transactions and queries answer it. */
export class Refusal extends Error {
  constructor(
    readonly codespace: string,
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** The registered errors of the Cosmos SDK (`types/errors/errors.go`). */
const SDK_TEXTS = {
  2: 'tx parse error',
  4: 'unauthorized',
  5: 'insufficient funds',
  6: 'unknown request',
  7: 'invalid address',
  8: 'invalid pubkey',
  9: 'unknown address',
  10: 'invalid coins',
  11: 'out of gas',
  12: 'memo too large',
  13: 'insufficient fee',
  15: 'no signatures supplied',
  18: 'invalid request',
  19: 'tx already in mempool',
  20: 'mempool is full',
  21: 'tx too large',
  22: 'key not found',
  26: 'invalid height',
  30: 'tx timeout height',
  32: 'incorrect account sequence',
  41: 'invalid gas limit',
} as const

/** What was refused after the messages of a transaction has no code, whatever code it has by itself. */
export const joined = (...refusals: readonly (Refusal | undefined)[]): Refusal =>
  new Refusal('undefined', 1, refusals.flatMap((refusal) => (refusal ? [refusal.message] : [])).join('\n'))

/** The code broke down. */
export const panic = (): Refusal => new Refusal('undefined', 111_222, 'panic')

export const sdkRefusal = (code: keyof typeof SDK_TEXTS, detail: string): Refusal =>
  new Refusal('sdk', code, `${detail}: ${SDK_TEXTS[code]}`)

/** The registered errors of `x/did` and `x/resource`, and what they pass on of the SDK. */
const MODULE_TEXTS: Readonly<Record<string, string>> = {
  'cheqd 1100': 'invalid signature detected',
  'cheqd 1101': 'signature is required but not found',
  'cheqd 1200': 'DID Doc exists',
  'cheqd 1201': 'DID Doc not found',
  'cheqd 1202': 'verification method not found',
  'cheqd 1205': 'basic validation failed',
  'cheqd 1206': 'DID namespace validation failed',
  'cheqd 1207': 'DID Doc already deactivated',
  'cheqd 1500': 'internal error',
  'resource 2200': 'Resource exists',
  'resource 2500': 'internal error',
  'sdk 38': 'not found',
}

export const moduleRefusal = (
  codespace: 'cheqd' | 'resource' | 'sdk',
  code: number,
  detail: string,
): Refusal => new Refusal(codespace, code, `${detail}: ${MODULE_TEXTS[`${codespace} ${code}`] ?? ''}`)
