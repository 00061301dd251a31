import { AgentError, errorOfMalformed, inSpan, tooLongForDidUrl } from '@vidimus/core-types'
import { Agent } from '@veramo/core'
import type { DIDResolutionResult, IAgentOptions } from '@veramo/core-types'

/**
 * Veramo's agent for a service that holds other people's keys. It differs in how a method is called:
 *
 * - Veramo's prints arguments and results with `DEBUG=veramo:*`, including imported private keys, and prepares that
 *   print even without it, which costs more than most look-ups. This one prints nothing.
 * - Veramo's looks the method up among the members that every object has, so that `execute('constructor')` works.
 *   This one only calls methods of plugins. Resolvers are looked up in the same way, so a DID such as
 *   `did:constructor:x` does not have a supported method here.
 * - DIDs that are too long are refused here, before a resolver of any method sees them.
 * - The promise of a method is passed on as it is: requests call many methods, and a promise costs some microseconds.
 *
 * If a request is traced, each call is a step of its trace.
 *
 * Arguments are validated on entry; `schemaValidation` has no effect here.
 */
export class ServiceAgent extends Agent {
  constructor(options?: IAgentOptions) {
    super(options)
    const own = this as unknown as Record<string, (args: unknown) => Promise<unknown>>
    for (const method of Object.keys(this.methods)) {
      if (Object.hasOwn(this, method)) own[method] = (args) => this.execute(method, args)
    }
  }

  /** @throws AgentError `internal_error` if no plugin has such a method */
  override execute<P, R>(method: string, args: P): Promise<R> {
    if (!Object.hasOwn(this.methods, method)) {
      return Promise.reject(new AgentError('internal_error', `the agent has no method "${method}"`))
    }
    const answered = method === 'resolveDid' ? unresolvable(args) : undefined
    if (answered) return Promise.resolve(answered as R)
    const call = this.methods[method] as (args: unknown, context: object) => Promise<R>
    try {
      const result = inSpan(method, undefined, () => call(args ?? {}, { ...this.context, agent: this }))
      return Promise.resolve(result)
    } catch (error) {
      const thrown = error as Error
      return Promise.reject(thrown)
    }
  }
}

/** The result for a DID URL that is too long, or whose method cannot exist; `undefined`: ask the resolver. */
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
