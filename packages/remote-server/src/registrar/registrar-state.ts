import { isJsonObject } from '@vidimus/core-types'
import type { IIdentifier } from '@veramo/core-types'
import type { DIDDocument, DIDDocumentMetadata, DIDResolutionResult } from 'did-resolver'
import type { ErrorBody } from '../errors/error-body.js'
import type { RefusalForm } from '../operation.js'
import { didResult } from '../operations/did-result.js'
import { isDid } from '../schemas/primitives.js'
import { RegistrarFailure } from '../schemas/registrar.js'
import type { ServiceAgent } from '../service-agent.js'

/** How a DID resolves, as far as it does. */
export interface PublishedDocument {
  didDocument?: DIDDocument
  didDocumentMetadata: DIDDocumentMetadata
}

/**
 * The document after an operation. What was done is done: where the document cannot be read now, the answer goes
 * without it.
 */
export async function publishedDocument(agent: ServiceAgent, did: string): Promise<PublishedDocument> {
  try {
    return documentOf(await agent.resolveDid({ didUrl: did }))
  } catch {
    return { didDocumentMetadata: {} }
  }
}

/** The part of a result of resolution that a registrar answers. */
export const documentOf = ({ didDocument, didDocumentMetadata }: DIDResolutionResult): PublishedDocument => ({
  ...(didDocument && { didDocument }),
  didDocumentMetadata,
})

/** The state after an operation that is done (DID Registration 8.1). There is no `secret`: keys stay here. */
export const finishedState = (
  identifier: IIdentifier,
  { didDocument, didDocumentMetadata }: PublishedDocument,
) => {
  const { controllerKeyId, keys } = didResult(identifier)
  return {
    jobId: null,
    didState: { state: 'finished', did: identifier.did, ...(didDocument && { didDocument }) },
    didRegistrationMetadata: {
      provider: identifier.provider,
      ...(controllerKeyId !== undefined && { controllerKeyId }),
      keys,
    },
    didDocumentMetadata,
  }
}

/** Refusals are states as well (DID Registration 8.2); those who know the errors of the service find these, too. */
export const REGISTRAR_REFUSAL: RefusalForm = { schema: RegistrarFailure, bodyOf: failedState }

function failedState(error: ErrorBody, sent: string | undefined) {
  const did = sentDid(sent)
  return {
    ...error,
    jobId: null,
    didState: {
      state: 'failed',
      ...(did !== undefined && { did }),
      error: error.code,
      reason: error.error,
    },
    didRegistrationMetadata: {},
    didDocumentMetadata: {},
  }
}

/** The DID that a request is about, also where the request is refused for something else. */
function sentDid(sent: string | undefined): string | undefined {
  try {
    const body: unknown = JSON.parse(sent ?? '')
    return isJsonObject(body) && isDid(body.did) ? body.did : undefined
  } catch {
    return undefined
  }
}
