import { AgentError, errorOfMalformed, inSpan, tooLongForDidUrl } from '@vidimus/core-types'
import { Agent } from '@veramo/core'
import type { DIDResolutionResult } from '@veramo/core-types'

/**
 * Veramo's agent for a service that holds other people's keys. It differs in how a method is called:
 *
 * - Veramo's prints arguments and results where `DEBUG=veramo:*` is set, imported private keys included, and prepares
 *   that print also where it is not, which costs more than most look-ups. This one prints nothing.
 * - Veramo's looks the method up among the members that every object has, so that `execute('constructor')` answers.
 *   This one calls methods of plugins alone. Resolvers are looked up in the same way, so a DID such as
 *   `did:constructor:x` is no DID of a supported method here.
 * - DIDs that are too long are answered here, before a resolver of any method sees them, whoever asks.
 *
 * Where a request is traced, each call is a step of its trace.
 *
 * Arguments are validated where they come in; `schemaValidation` has no effect here.
 */
export class ServiceAgent extends Agent {
  /** @throws AgentError `internal_error` where no plugin has such a method */
  override async execute<P, R>(method: string, args: P): Promise<R> {
    if (!Object.hasOwn(this.methods, method)) {
      throw new AgentError('internal_error', `the agent has no method "${method}"`)
    }
    const answered = method === 'resolveDid' ? unresolvable(args) : undefined
    if (answered) return answered as R
    const call = this.methods[method] as (args: unknown, context: object) => Promise<R>
    return inSpan(method, undefined, () => call(args ?? {}, { ...this.context, agent: this }))
  }
}

/** The answer about a DID URL that is too long, or has no method that there could be; `undefined`: ask the resolver. */
function unresolvable(args: unknown): DIDResolutionResult | undefined {
  const didUrl = (args as { didUrl?: unknown } | undefined)?.didUrl
  if (typeof didUrl !== 'string') return undefined
  const message = tooLongForDidUrl(didUrl)
  if (message !== undefined) return refusal({ error: errorOfMalformed(didUrl), message })
  const method = /^did:([a-z0-9]+):/.exec(didUrl)?.[1]
  const isMemberOfAll = method !== undefined && method in Object.prototype
  return isMemberOfAll ? refusal({ error: 'unsupportedDidMethod' }) : undefined
}

const refusal = (
  didResolutionMetadata: DIDResolutionResult['didResolutionMetadata'],
): DIDResolutionResult => ({
  didDocument: null,
  didDocumentMetadata: {},
  didResolutionMetadata,
})
