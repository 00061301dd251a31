import { setTimeout as pause } from 'node:timers/promises'
import { log, type Counter } from '@vidimus/core-types'
import { unreachable } from './failures.js'
import { RequestTooLargeError, RpcError, TransportError } from './json-rpc.js'
import { BehindError, RpcEndpoint } from './rpc-endpoint.js'
import type { Settings } from './options.js'

/** One address may stand for several nodes, of which one has a block some seconds before another. */
const MORE_ATTEMPTS_WHERE_BEHIND = 3

/** A request to a node, which goes to the next one if it fails. */
export type Question<T> = (endpoint: RpcEndpoint) => Promise<T>

/** Several nodes of one chain: the first one that works is used, a failed one is left alone for a while. */
export class RpcEndpoints {
  private readonly endpoints: readonly RpcEndpoint[]

  constructor(
    rpc: readonly string[],
    private readonly settings: Pick<Settings, 'chainId' | 'requests' | 'network'>,
    private readonly failuresCounted?: Counter,
  ) {
    const { chainId, requests } = settings
    this.endpoints = rpc.map((url) => new RpcEndpoint(url, { chainId, ...requests }))
  }

  /**
   * Tries one node after the other, and all of them again after a pause.
   *
   * @param attempts - rounds over all nodes, at least 1
   * @throws LedgerError of phase `transport`
   */
  async ask<T>(question: Question<T>, attempts = this.settings.requests.attempts): Promise<T> {
    const failures = new Map<string, Error>()
    for (let attempt = 1; ; attempt++) {
      for (const endpoint of this.inOrder()) {
        try {
          return await question(endpoint)
        } catch (error) {
          if (!isFailureOfNode(error)) throw error
          failures.set(endpoint.host, error)
          this.failed(endpoint, error)
        }
      }
      const isBehind = [...failures.values()].some((error) => error instanceof BehindError)
      if (attempt >= attempts + (isBehind && attempts > 1 ? MORE_ATTEMPTS_WHERE_BEHIND : 0)) break
      await pause(this.settings.requests.pauseMs * 2 ** (attempt - 1))
    }
    const reasons = [...failures].map(([host, { message }]) => `${host}: ${message}`).join('; ')
    throw unreachable(
      `no node of ${this.settings.network} is reachable: ${reasons}`,
      [...failures.values()].at(-1),
    )
  }

  /**
   * Queries other nodes than the one that responded, until one of them confirms its response.
   *
   * @throws the error of the last of them
   */
  async confirmBesides(first: RpcEndpoint, question: Question<void>): Promise<void> {
    let failure: unknown = new TransportError('there is no second node that could confirm its answer')
    for (const endpoint of this.inOrder()) {
      if (endpoint === first) continue
      try {
        return await question(endpoint)
      } catch (error) {
        if (!isFailureOfNode(error)) throw error
        failure = error
        this.failed(endpoint, error)
      }
    }
    throw failure
  }

  private failed({ host }: RpcEndpoint, { name, message: reason }: Error): void {
    const { network } = this.settings
    this.failuresCounted?.add(1, network)
    log('debug', 'a node is not reachable', { network, host, failure: name, reason })
  }

  /** Failed ones come last: if nothing else works, they are better than nothing. */
  private inOrder(): RpcEndpoint[] {
    const now = performance.now()
    const isLeftAlone = (endpoint: RpcEndpoint) => endpoint.leftAloneUntil > now
    return [
      ...this.endpoints.filter((endpoint) => !isLeftAlone(endpoint)),
      ...this.endpoints.filter(isLeftAlone),
    ]
  }
}

export const isFailureOfNode = (error: unknown): error is Error =>
  error instanceof TransportError ||
  error instanceof RpcError ||
  error instanceof RequestTooLargeError ||
  error instanceof BehindError
