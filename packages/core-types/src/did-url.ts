import { BOUNDS } from './bounds.js'
import type { IAgentContext, IPluginMethodMap, IResolver } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** Why nobody must be asked about a DID URL, as a sentence goes on; `undefined` where it is not too long. */
export function tooLongForDidUrl(didUrl: string): string | undefined {
  if (didUrl.length > BOUNDS.didUrl) return `it has more than ${BOUNDS.didUrl} characters`
  const [did = ''] = didUrl.split(/[/?#;]/, 1)
  return did.length > BOUNDS.did ? `its DID has more than ${BOUNDS.did} characters` : undefined
}

/** Why a DID URL leads nowhere, in the words of DID Resolution. */
export type DidUrlError = z.output<typeof schemas.DidUrlError>

/** What a malformed text is: a DID URL where it goes on behind something like a DID, otherwise a DID. */
export const errorOfMalformed = (didUrl: string): 'invalidDid' | 'invalidDidUrl' =>
  /^did:[^/?#;]*[/?#;]/.test(didUrl) ? 'invalidDidUrl' : 'invalidDid'

/** What a DID URL leads to. */
export type DidUrlResult = z.output<typeof schemas.DidUrlResult>

/** `didUrl` of at most 4096 characters: a longer one leads nowhere. */
export type DidUrlDereferenceArgs = z.input<typeof schemas.didUrlMethods.didUrlDereference.arguments>

/** Dereferencing of DID URLs (DID Core 7.2), also of methods that others resolve. */
export interface IDidUrlDereferencing extends IPluginMethodMap {
  /**
   * Mistakes in the DID URL and what is not there are answers, not errors.
   *
   * @throws AgentError `invalid_input` where `didUrl` is no text, `ledger_unavailable`
   */
  didUrlDereference(args: DidUrlDereferenceArgs, context: IAgentContext<IResolver>): Promise<DidUrlResult>
}
