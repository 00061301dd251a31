import type { IAgentContext, IResolver } from '@veramo/core-types'
import {
  errorOfMalformed,
  tooLongForDidUrl,
  type DidUrlDereferenceArgs,
  type DidUrlError,
  type DidUrlResult,
} from '@vidimus/core-types'
import { didUrlMethods } from '@vidimus/core-types/schemas'
import { dereference, partOf } from '@vidimus/ledger'
import { parse, type ParsedDID } from 'did-resolver'
import { askLedger, isNetwork, type LedgersByNetwork } from './ledgers-by-network.js'
import { parseInput } from './parse-input.js'

/** What DID URLs of other methods need of the agent. */
export type ResolvingContext = IAgentContext<IResolver>

/** Errors of resolvers, in the words of this service; other texts of a resolver are not repeated. */
const ERRORS: Readonly<Record<string, DidUrlError>> = {
  invalidDid: 'invalidDid',
  invalidDidUrl: 'invalidDidUrl',
  notFound: 'notFound',
  representationNotSupported: 'representationNotSupported',
  unsupportedDidMethod: 'methodNotSupported',
  methodNotSupported: 'methodNotSupported',
  unsupportedPublicKeyType: 'unsupportedPublicKeyType',
}
const SENTENCES: Readonly<Record<DidUrlError, string>> = {
  invalidDid: 'it is not a DID of its method',
  invalidDidUrl: 'it is not a DID URL of its method',
  notFound: 'there is no such DID',
  representationNotSupported: 'its document has no such representation',
  methodNotSupported: 'no resolver is configured for its method',
  unsupportedPublicKeyType: 'its type of key is not supported',
}

/**
 * Finds the target of a DID URL. On did:cheqd that may be a version, a part, metadata or a resource; the agent's
 * resolver resolves DIDs of other methods, which may have a fragment.
 *
 * @throws AgentError `invalid_input`, `ledger_unavailable`
 */
export async function dereferenceDidUrl(
  args: DidUrlDereferenceArgs,
  ledgers: LedgersByNetwork,
  context: ResolvingContext,
): Promise<DidUrlResult> {
  const { didUrl, linkedResourceMetadata } = parseInput(didUrlMethods.didUrlDereference.arguments, args)
  const tooLong = tooLongForDidUrl(didUrl)
  if (tooLong !== undefined) {
    return nothing(errorOfMalformed(didUrl), tooLong)
  }
  if (didUrl.startsWith('did:cheqd:')) {
    const ledgerOf = (network: string) => (isNetwork(network) ? ledgers.ofNetwork(network) : undefined)
    return askLedger(dereference(didUrl, ledgerOf, { linkedResourceMetadata }))
  }
  const url = parse(didUrl)
  if (!url) return nothing(errorOfMalformed(didUrl), 'it does not begin with a DID')
  if (url.path || url.query || url.params) {
    return nothing('invalidDidUrl', 'paths and parameters are supported only for did:cheqd')
  }
  return resolveElsewhere(url, context)
}

async function resolveElsewhere(
  { did, fragment }: ParsedDID,
  context: ResolvingContext,
): Promise<DidUrlResult> {
  const { didDocument, didDocumentMetadata, didResolutionMetadata } = await context.agent.resolveDid({
    didUrl: did,
  })
  if (!didDocument || didResolutionMetadata.error) {
    const error = ERRORS[didResolutionMetadata.error ?? ''] ?? 'notFound'
    return nothing(error, SENTENCES[error])
  }
  if (fragment === undefined) return { found: 'document', didDocument, didDocumentMetadata }
  const part = partOf(didDocument, fragment)
  if (part) return { found: 'documentPart', part, didDocumentMetadata }
  return nothing('notFound', 'the document has no part with that fragment')
}

const nothing = (error: DidUrlError, message: string): DidUrlResult => ({ found: 'nothing', error, message })
