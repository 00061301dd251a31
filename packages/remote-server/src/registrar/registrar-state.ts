import { isJsonObject } from '@vidimus/core-types'
import type { IIdentifier } from '@veramo/core-types'
import type { DIDDocument, DIDDocumentMetadata, DIDResolutionResult } from 'did-resolver'
import type { ErrorBody } from '../errors/error-body.js'
import type { RefusalForm } from '../operation.js'
import { didResult } from '../operations/did-result.js'
import { isDid } from '../schemas/primitives.js'
import { RegistrarFailure } from '../schemas/registrar.js'
import type { ServiceAgent } from '../service-agent.js'

/** The resolution result of a DID, as far as it resolves. */
export interface PublishedDocument {
  didDocument?: DIDDocument
  didDocumentMetadata: DIDDocumentMetadata
}

/**
 * The document after an operation. The operation is complete: if the document cannot be read now, the response omits
 * it.
 */
export async function publishedDocument(agent: ServiceAgent, did: string): Promise<PublishedDocument> {
  try {
    return toPublishedDocument(await agent.resolveDid({ didUrl: did }))
  } catch {
    return { didDocumentMetadata: {} }
  }
}

/** The part of a resolution result that a registrar returns. */
export const toPublishedDocument = ({
  didDocument,
  didDocumentMetadata,
}: DIDResolutionResult): PublishedDocument => ({
  ...(didDocument && { didDocument }),
  didDocumentMetadata,
})

/** The state after a completed operation (DID Registration 8.1). There is no `secret`: keys stay here. */
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

/** Refusals are also states (DID Registration 8.2); they include the usual error members of the service. */
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

/** The DID of a request, also if the request is refused for another reason. */
function sentDid(sent: string | undefined): string | undefined {
  try {
    const body: unknown = JSON.parse(sent ?? '')
    return isJsonObject(body) && isDid(body.did) ? body.did : undefined
  } catch {
    return undefined
  }
}
