import { Misbehaviour, type Fault, type FaultKind, type FaultOptions } from './misbehaviour.js'
import type { EndpointView } from './rpc-methods.js'
import { RpcServer, type ReceivedCall } from './rpc-server.js'

/** One address at which a chain is served, with faults of its own. */
export class Endpoint {
  private readonly misbehaviour = new Misbehaviour()
  private readonly server: RpcServer

  constructor(view: Omit<EndpointView, 'misbehaviour'>, port?: number) {
    this.server = new RpcServer({ ...view, misbehaviour: this.misbehaviour }, port)
  }

  get url(): string {
    return this.server.url
  }

  /** Everything that was asked, oldest first. */
  get calls(): readonly ReceivedCall[] {
    return this.server.calls
  }

  /** What happens to transactions in blocks is ordered here as well. */
  get faults(): Misbehaviour {
    return this.misbehaviour
  }

  /** Orders a fault: always, `times` times, or only `when` something is asked. */
  misbehave<Kind extends FaultKind>(kind: Kind, ...[options]: FaultArguments<Kind>): Fault {
    return this.misbehaviour.order(kind, (options ?? {}) as FaultOptions<Kind>)
  }

  /** Ends every fault. */
  behave(): void {
    this.misbehaviour.stopAll()
  }

  /** On the same port as before, if it was open before. */
  open(): Promise<void> {
    return this.server.listen()
  }

  /** Connections end at once. */
  close(): Promise<void> {
    return this.server.close()
  }
}

/** Options may be left out where none of them is needed. */
type FaultArguments<Kind extends FaultKind> =
  object extends FaultOptions<Kind> ? [options?: FaultOptions<Kind>] : [options: FaultOptions<Kind>]
