import type { DidDocWithMetadata, LedgerMessage, ResourceMetadata } from '@vidimus/ledger'
import { signedBytes } from '../support/cheqd-node/identity-messages.js'
import { checkBasics, handle } from '../support/cheqd-node/identity/handlers.js'
import { Refusal } from '../support/cheqd-node/refusal.js'
import { resourceKey, StateHistory, StateOverlay, versionKey } from '../support/cheqd-node/state.js'
import { nestedPaths } from './member-paths.js'
import type { Outcome, Room } from './room.js'

/** The double of a node, which replaces a chain in the tests. */
export class DoubleRoom implements Room {
  readonly name = 'double'
  private state = new StateOverlay(new StateHistory().at(0))

  async reset(): Promise<void> {
    this.state = new StateOverlay(new StateHistory().at(0))
  }

  async submit(message: LedgerMessage, time: Date): Promise<Outcome> {
    const state = new StateOverlay(this.state)
    let stage: 'validateBasic' | 'handler' = 'validateBasic'
    try {
      checkBasics(message)
      stage = 'handler'
      const outcome = handle({ namespace: 'testnet', time, state, bytes: signedBytes(message) }, message)
      state.applyTo(this.state)
      return outcome
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { codespace, code, message: log } = error
      return { refused: { codespace, code, log, stage, paths: nestedPaths(log) } }
    }
  }

  async versionsOf(did: string): Promise<DidDocWithMetadata[]> {
    const versions = this.state.get('didVersions', did) ?? []
    return versions.flatMap((id) => this.state.get('didDoc', versionKey(did, id)) ?? [])
  }

  async collectionOf(collectionId: string): Promise<ResourceMetadata[]> {
    const ids = this.state.get('collection', collectionId) ?? []
    return ids.flatMap((id) => this.state.get('resource', resourceKey(collectionId, id))?.metadata ?? [])
  }
}
