import { AgentError, inSpan } from '@vidimus/core-types'
import { Agent } from '@veramo/core'

/**
 * Veramo's agent for a service that holds other people's keys. It differs in how a method is called:
 *
 * - Veramo's prints arguments and results where `DEBUG=veramo:*` is set, imported private keys included, and prepares
 *   that print also where it is not, which costs more than most look-ups. This one prints nothing.
 * - Veramo's looks the method up among the members that every object has, so that `execute('constructor')` answers.
 *   This one calls methods of plugins alone.
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
    const call = this.methods[method] as (args: unknown, context: object) => Promise<R>
    return inSpan(method, undefined, () => call(args ?? {}, { ...this.context, agent: this }))
  }
}
