import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import type { LedgerDidDoc, LedgerMessage, UnsignedLedgerMessage } from '@vidimus/ledger'
import {
  createDid,
  createResource,
  didDoc,
  ed25519Key,
  newDid,
  signed,
  updateDid,
} from '../../packages/ledger/src/__tests__/signing.js'
import { GAS_SCHEDULE, GasMeter } from '../support/cheqd-node/gas-meter.js'
import { identityOf, TYPE_URLS } from '../support/cheqd-node/identity-messages.js'
import { executeMessage } from '../support/cheqd-node/message-execution.js'
import { StateHistory, StateOverlay, versionKey } from '../support/cheqd-node/state.js'
import type { GoldenCase } from './read-cases.js'
import { agreement, type Verdict } from './verdict.js'

/** The properties of a case: sizes in its input, the rest in its name. */
interface GasCase {
  kind: 'create' | 'update' | 'deactivate' | 'resource'
  documentBytes: number
  versionsBefore: number
  /** other DIDs that control the document beside itself */
  controllers: number
  isReplaced: boolean
  isSecond: boolean
  dataBytes: number
}

const ONE_KEY_BYTES = 317

/**
 * Gas of the handler alone. It depends on what the file does not tell: which version comes first in the order of their
 * ids, which is read twice, and whether the chain has a resource already. A case agrees where one of these gives its figure.
 */
export async function judgeGas(one: GoldenCase): Promise<Verdict> {
  const read = readCase(one)
  const used: number[] = []
  for (const place of placesOf(read)) {
    const gas = await gasOf(read, place)
    if (gas === one.out.gas) return agreement()
    used.push(gas)
  }
  return agreement([`double: ${used.join(' or ')} gas, and not ${String(one.out.gas)}`])
}

/** Which version comes first; of a resource, how many there are on the chain. */
function placesOf({ kind, versionsBefore }: GasCase): number[] {
  if (kind === 'deactivate') return [...new Set([0, 1, versionsBefore - 1, versionsBefore])]
  return kind === 'resource' ? [0, 1] : [0]
}

function readCase({ name, in: input }: GoldenCase): GasCase {
  const [, kind] = /^(create|update|deactivate|resource)\b/.exec(name) ?? []
  if (!kind) throw new TypeError('it does not say which message it is')
  const { documentBytes = ONE_KEY_BYTES, versionsBefore = 0, dataBytes = 0 } = input as Record<string, number>
  return {
    kind: kind as GasCase['kind'],
    documentBytes,
    versionsBefore,
    controllers: Number(/other controllers: (\d+)/.exec(name)?.[1] ?? 0),
    isReplaced: name.includes('key replaced'),
    isSecond: name.includes('second of its name'),
    dataBytes,
  }
}

async function gasOf(one: GasCase, place: number): Promise<number> {
  const others = Array.from({ length: one.controllers }, () => newSigner())
  const own = newSigner()
  const chain = new Chain()
  for (const other of others) chain.put(withoutControllers(other), 1, 0)
  const controller = others.map((other) => other.did)
  const doc = sized({ ...withoutControllers(own), controller }, one.controllers > 0 ? 0 : one.documentBytes)
  const signers = [own, ...others]
  if (one.kind === 'create') return chain.run(createDid(doc), signers)
  chain.put(doc, one.kind === 'resource' ? 1 : one.versionsBefore, place)
  if (one.kind === 'deactivate')
    return chain.run(
      {
        type: 'deactivateDidDoc',
        payload: { id: own.did, versionId: chain.idOf(one.versionsBefore, place) },
      },
      signers,
    )
  if (one.kind === 'update' && !one.isReplaced) return chain.run(updateDid(doc), signers)
  if (one.kind === 'update') {
    const next = { did: own.did, key: ed25519Key() }
    return chain.run(updateDid(withoutControllers(next)), [own, next])
  }
  const publish = (name: string) =>
    createResource(own.did, { name, resourceType: 'gas', data: Buffer.alloc(one.dataBytes, 'x') })
  if (place > 0) await chain.run(publish('other'), signers)
  if (one.isSecond) await chain.run(publish('gas'), signers)
  return chain.run(publish('gas'), signers)
}

interface Signer {
  did: string
  key: ReturnType<typeof ed25519Key>
}

const newSigner = (): Signer => ({ did: newDid(), key: ed25519Key() })

const withoutControllers = ({ did: id, key }: Signer): LedgerDidDoc => ({
  ...didDoc(id, [key]),
  controller: [],
})

/** A document that its other names make as long as it needs to be. */
function sized(doc: LedgerDidDoc, bytes: number): LedgerDidDoc {
  const alsoKnownAs: string[] = []
  let left = bytes - did.DidDoc.encode(did.DidDoc.fromPartial(doc)).finish().length
  while (left > 0) {
    // Each takes a tag and a length beside its text.
    const length = left <= 120 ? left : Math.min(100, left - 20)
    alsoKnownAs.push(`did:x:${alsoKnownAs.length}-`.padEnd(length - 2, 'a'))
    left -= length
  }
  return { ...doc, alsoKnownAs }
}

const START = Date.UTC(2021, 0, 1)

/** A state to which messages are applied, a second after the other, as the figures were measured. */
class Chain {
  private readonly state = new StateOverlay(new StateHistory().at(0))
  private seconds = 0

  /** The id of one version, in an order that begins with another one. */
  idOf(version: number, first: number): string {
    const rank = version === first ? 0 : version + 1
    return `${rank.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  }

  /** A document with so many versions, as if written one after the other. */
  put(didDoc: LedgerDidDoc, versions: number, first: number): void {
    const ids = Array.from({ length: versions }, (_, n) => this.idOf(n, first))
    const created = this.nextTime()
    for (const [n, versionId] of ids.entries()) {
      const links = { previousVersionId: ids[n - 1] ?? '', nextVersionId: ids[n + 1] ?? '' }
      const updated = n > 0 ? { updated: this.nextTime() } : {}
      const metadata = { created, ...updated, deactivated: false, versionId, ...links }
      this.state.set('didDoc', versionKey(didDoc.id, versionId), { didDoc, metadata })
    }
    this.state.set('didVersions', didDoc.id, ids)
    this.state.set('didCount', '', (this.state.get('didCount', '') ?? 0) + 1)
  }

  async run(unsigned: UnsignedLedgerMessage, signers: readonly Signer[]): Promise<number> {
    const signatures = signers.map((signer): [string, Signer['key']] => [`${signer.did}#key-1`, signer.key])
    const message: LedgerMessage = signed(unsigned, ...signatures)
    const gas = new GasMeter(Number.MAX_SAFE_INTEGER, GAS_SCHEDULE)
    const sent = {
      kind: 'identity' as const,
      typeUrl: TYPE_URLS[message.type],
      identity: identityOf(message),
      message,
    }
    await executeMessage({ network: 'testnet', time: this.nextTime() }, this.state, sent, { gas, index: 0 })
    return gas.used
  }

  private nextTime(): Date {
    return new Date(START + ++this.seconds * 1000)
  }
}
