import { atPaths, problemsError, type Problem } from '@vidimus/core-types'
import { providerOfDid } from '../operations/provider-of-did.js'
import type { CreateDidBody } from '../schemas/did-creation.js'
import type { RegistrarCreateBody } from '../schemas/registrar.js'
import { contradictions, providerOfMethod } from './registrar-method.js'

/** Methods whose DIDs can be chosen. */
const CHOSEN = ['did:cheqd', 'did:web']

/**
 * Translates a registrar's creation request into one of POST /did/create.
 *
 * @throws AgentError `invalid_input` with every problem, `unknown_provider`
 */
export function toCreation(
  method: string | undefined,
  { did: sentDid, options, didDocument: sentDocument }: RegistrarCreateBody,
  providers: readonly string[],
): CreateDidBody {
  const did = sentDid ?? undefined
  const { network, identifierFormatType, verificationMethodType, key, keyType } = options ?? {}
  const provider = providerFor(method, did, providers)
  const problems: Problem[] = []
  if (did !== undefined) {
    problems.push(...contradictions({ did, method, network }))
    if (!CHOSEN.includes(provider)) {
      problems.push({ path: 'did', message: `does not apply to ${provider}, which creates its DIDs itself` })
    }
  }
  // The specification requires a document in every request, even an empty one.
  const isSaid = sentDocument && Object.keys(sentDocument).length > 0
  const document = isSaid ? sentDocument : undefined
  if (did !== undefined && document?.id !== undefined && document.id !== did) {
    problems.push({ path: 'didDocument.id', message: 'differs from did' })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const didDocument = did === undefined ? document : { ...document, id: did }
  return {
    providerId: provider,
    ...(network && { network }),
    ...(identifierFormatType && { identifierFormatType }),
    ...(verificationMethodType && { verificationMethodType }),
    ...(key !== undefined && { key }),
    ...(keyType && { options: { keyType } }),
    ...(didDocument && { didDocument }),
  }
}

function providerFor(
  method: string | undefined,
  did: string | undefined,
  providers: readonly string[],
): string {
  if (method !== undefined) return providerOfMethod(method, providers)
  if (did !== undefined) return providerOfDid(did, providers)
  throw problemsError('invalid_input', [{ path: 'method', message: 'is required, unless did is given' }])
}

/** Fields of POST /did/create that are registrar options. */
const OPTIONS = /^(?:network|identifierFormatType|verificationMethodType|key)\b/

/** Reports creation problems at their paths in the registrar request. */
export const atRegistrarPaths = <T>(
  { did }: Pick<RegistrarCreateBody, 'did'>,
  create: () => Promise<T>,
): Promise<T> => atPaths((path) => fieldPlace(path, did), create)

function fieldPlace(path: string, did: string | null | undefined): string {
  if (path === 'providerId') return 'method'
  if (path === 'didDocument.id' && typeof did === 'string') return 'did'
  return OPTIONS.test(path) ? `options.${path}` : path
}
