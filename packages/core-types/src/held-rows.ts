import type { IIdentifier, IKey } from '@veramo/core-types'
import { isAgentError, type ErrorCode } from './errors.js'

// The stores of Veramo know neither codes nor classes of errors; these are their words for "there is none".
const ABSENT = {
  did_not_found: /^(not_found:|identifier not found)/i,
  key_not_found: /^(key_not_found:|not_found:|key not found)/i,
} as const satisfies Partial<Record<ErrorCode, RegExp>>

/** The row of a DID in the account in scope. `didHeldKey` determines whether the account holds the DID for an act. */
export const findDidRow = (
  { agent }: { agent: { didManagerGet(args: { did: string }): Promise<IIdentifier> } },
  did: string,
): Promise<IIdentifier | undefined> => orAbsent('did_not_found', () => agent.didManagerGet({ did }))

/** A key of the account in scope. */
export const findKeyRow = (
  { agent }: { agent: { keyManagerGet(args: { kid: string }): Promise<IKey> } },
  kid: string,
): Promise<IKey | undefined> => orAbsent('key_not_found', () => agent.keyManagerGet({ kid }))

/** Only this error means absence: an unreachable database does not. */
async function orAbsent<T>(absence: keyof typeof ABSENT, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const isAbsent = isAgentError(error)
      ? error.code === absence
      : error instanceof Error && ABSENT[absence].test(error.message)
    if (isAbsent) return undefined
    throw error
  }
}
