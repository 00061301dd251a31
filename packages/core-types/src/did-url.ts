import { BOUNDS } from './bounds.js'
import type { IAgentContext, IPluginMethodMap, IResolver } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** Why a DID URL must not be resolved, completing a sentence; `undefined` if it is not too long. */
export function tooLongForDidUrl(didUrl: string): string | undefined {
  if (didUrl.length > BOUNDS.didUrl) return `it has more than ${BOUNDS.didUrl} characters`
  const [did = ''] = didUrl.split(/[/?#;]/, 1)
  return did.length > BOUNDS.did ? `its DID has more than ${BOUNDS.did} characters` : undefined
}

/** Why a DID URL leads nowhere, in the words of DID Resolution. */
export type DidUrlError = z.output<typeof schemas.DidUrlError>

/** The kind of a malformed text: a DID URL if it continues after something like a DID, otherwise a DID. */
export const errorOfMalformed = (didUrl: string): 'invalidDid' | 'invalidDidUrl' =>
  /^did:[^/?#;]*[/?#;]/.test(didUrl) ? 'invalidDidUrl' : 'invalidDid'

/** The target of a DID URL. */
export type DidUrlResult = z.output<typeof schemas.DidUrlResult>

/** `didUrl` of at most 4096 characters: a longer one leads nowhere. */
export type DidUrlDereferenceArgs = z.input<typeof schemas.didUrlMethods.didUrlDereference.arguments>

/** Dereferencing of DID URLs (DID Core 7.2), also of methods that others resolve. */
export interface IDidUrlDereferencing extends IPluginMethodMap {
  /**
   * Invalid DID URLs and missing targets are results, not errors.
   *
   * @throws AgentError `invalid_input` if `didUrl` is not a text, `ledger_unavailable`
   */
  didUrlDereference(args: DidUrlDereferenceArgs, context: IAgentContext<IResolver>): Promise<DidUrlResult>
}
