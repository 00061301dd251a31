import { BOUNDS } from './bounds.js'
import type { IAgentContext, IPluginMethodMap, IResolver } from '@veramo/core-types'
import type { DIDDocument, DIDDocumentMetadata, Service, VerificationMethod } from 'did-resolver'
import type { LinkedResourceMetadata } from './linked-resource.js'

/** Why nobody must be asked about a DID URL, as a sentence goes on; `undefined` where it is not too long. */
export function tooLongForDidUrl(didUrl: string): string | undefined {
  if (didUrl.length > BOUNDS.didUrl) return `it has more than ${BOUNDS.didUrl} characters`
  const [did = ''] = didUrl.split(/[/?#;]/, 1)
  return did.length > BOUNDS.did ? `its DID has more than ${BOUNDS.did} characters` : undefined
}

/** Why a DID URL leads nowhere, in the words of DID Resolution. */
export type DidUrlError =
  'invalidDid' | 'invalidDidUrl' | 'notFound' | 'representationNotSupported' | 'methodNotSupported'

/** What a malformed text is: a DID URL where it goes on behind something like a DID, otherwise a DID. */
export const errorOfMalformed = (didUrl: string): 'invalidDid' | 'invalidDidUrl' =>
  /^did:[^/?#;]*[/?#;]/.test(didUrl) ? 'invalidDidUrl' : 'invalidDid'

/** What a DID URL leads to. */
export type DidUrlResult =
  | { found: 'document'; didDocument: DIDDocument; didDocumentMetadata: DIDDocumentMetadata }
  | { found: 'documentPart'; part: VerificationMethod | Service; didDocumentMetadata: DIDDocumentMetadata }
  | { found: 'documentMetadata'; didDocumentMetadata: DIDDocumentMetadata }
  /** oldest first; `next`: the version that the next page comes after, left out on the last one */
  | { found: 'documentVersions'; versions: DIDDocumentMetadata[]; next?: string }
  /** an absolute URI to go on to */
  | { found: 'serviceEndpoint'; uri: string }
  /**
   * The content is read with `linkedResourceGet`, by those who do not have this version yet.
   * `pinned`: the DID URL names this version, and never another one.
   */
  | { found: 'resource'; metadata: LinkedResourceMetadata; pinned: boolean }
  | { found: 'resourceMetadata'; metadata: LinkedResourceMetadata }
  /** the DID is called otherwise by now: the same DID URL with its present name */
  | { found: 'renamed'; didUrl: string }
  | { found: 'nothing'; error: DidUrlError; message: string }

export interface DidUrlDereferenceArgs {
  /** DID URL as DID Core 3.2 has it: percent-encoded in its query; at most 4096 characters */
  didUrl: string
  /**
   * `false` leaves `linkedResourceMetadata` out of the metadata of a document, which is long for a DID that publishes
   * much; default: true
   */
  linkedResourceMetadata?: boolean
}

/** Dereferencing of DID URLs (DID Core 7.2), also of methods that others resolve. */
export interface IDidUrlDereferencing extends IPluginMethodMap {
  /**
   * Mistakes in the DID URL and what is not there are answers, not errors.
   *
   * @throws AgentError `invalid_input` where `didUrl` is no text, `ledger_unavailable`
   */
  didUrlDereference(args: DidUrlDereferenceArgs, context: IAgentContext<IResolver>): Promise<DidUrlResult>
}
