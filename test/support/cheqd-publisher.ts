import { randomUUID, sign } from 'node:crypto'
import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resource from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import { base58 } from '@scure/base'
import type { LedgerDidDoc, LedgerMessage, LedgerVerificationMethod, SignInfo } from '@vidimus/ledger'
import { CHEQ } from './cheqd-installation.js'
import type { CheqdNode } from './cheqd-node/cheqd-node.js'
import { Wallet } from './cheqd-node/wallet.js'
import { outsideKey, type OutsideKey } from './outside-key.js'

/** A key pair of somebody who knows nothing of the service. */
export class ForeignKey {
  private readonly pair: OutsideKey

  constructor(readonly type: 'Ed25519' | 'Secp256r1') {
    this.pair = outsideKey(type)
  }

  get privateKeyHex(): string {
    return this.pair.privateKeyHex
  }

  /** SEC 1 compressed for P-256 */
  get publicKeyHex(): string {
    return this.pair.publicKeyHex
  }

  /** For a verification method of that type, written down as its own specification has it. */
  material(type: string): string {
    const bytes = Buffer.from(this.publicKeyHex, 'hex')
    if (type === 'Ed25519VerificationKey2020') {
      return `z${base58.encode(Uint8Array.of(0xed, 0x01, ...bytes))}`
    }
    if (type === 'Ed25519VerificationKey2018') return base58.encode(bytes)
    return JSON.stringify(this.pair.jwk)
  }

  sign = (bytes: Uint8Array): Uint8Array =>
    new Uint8Array(sign(this.type === 'Ed25519' ? null : 'sha256', bytes, this.pair.privateKey))
}

/** Another software on the network, with an account and keys of its own: it makes a DID and publishes for it. */
export class CheqdPublisher {
  readonly did = `did:cheqd:testnet:${randomUUID()}`
  readonly keys: readonly [ForeignKey, ForeignKey, ForeignKey, ForeignKey] = [
    new ForeignKey('Ed25519'),
    new ForeignKey('Secp256r1'),
    new ForeignKey('Ed25519'),
    new ForeignKey('Ed25519'),
  ]
  private readonly types = [
    'Ed25519VerificationKey2020',
    'JsonWebKey2020',
    'Ed25519VerificationKey2018',
    'JsonWebKey2020',
  ]

  private constructor(private readonly wallet: Wallet) {}

  /** With its DID on the network. */
  static async start(node: CheqdNode): Promise<CheqdPublisher> {
    const wallet = await Wallet.connect(node.url)
    await node.fund(wallet.address, 1_000_000n * CHEQ)
    const publisher = new CheqdPublisher(wallet)
    const payload = { ...publisher.document(), versionId: randomUUID() }
    const bytes = did.MsgCreateDidDocPayload.encode(did.MsgCreateDidDocPayload.fromPartial(payload)).finish()
    await publisher.send({ type: 'createDidDoc', payload, signatures: [publisher.signature(bytes)] })
    return publisher
  }

  get collectionId(): string {
    return this.did.split(':').at(-1) ?? ''
  }

  /** The next version of a resource, after whatever is newest. @returns its id */
  async publish(name: string, resourceType: string, content: unknown): Promise<string> {
    const payload = {
      data: Buffer.from(JSON.stringify(content)),
      collectionId: this.collectionId,
      id: randomUUID(),
      name,
      version: '',
      resourceType,
      alsoKnownAs: [],
    }
    const bytes = resource.MsgCreateResourcePayload.encode(
      resource.MsgCreateResourcePayload.fromPartial(payload),
    ).finish()
    await this.send({ type: 'createResource', payload, signatures: [this.signature(bytes)] })
    return payload.id
  }

  async replaceDocument(changes: Partial<LedgerDidDoc>): Promise<void> {
    const payload = { ...this.document(), ...changes, versionId: randomUUID() }
    const bytes = did.MsgUpdateDidDocPayload.encode(did.MsgUpdateDidDocPayload.fromPartial(payload)).finish()
    await this.send({ type: 'updateDidDoc', payload, signatures: [this.signature(bytes)] })
  }

  async deactivate(): Promise<void> {
    const payload = { id: this.did, versionId: randomUUID() }
    const bytes = did.MsgDeactivateDidDocPayload.encode(payload).finish()
    await this.send({ type: 'deactivateDidDoc', payload, signatures: [this.signature(bytes)] })
  }

  private signature = (bytes: Uint8Array): SignInfo => ({
    verificationMethodId: `${this.did}#signing-0`,
    signature: this.keys[0].sign(bytes),
  })

  /** As it was created; names of methods are free. */
  document(): LedgerDidDoc {
    const verificationMethod = this.keys.map((key, n): LedgerVerificationMethod => {
      const verificationMethodType = this.types[n] ?? ''
      return {
        id: `${this.did}#signing-${n}`,
        verificationMethodType,
        controller: this.did,
        verificationMaterial: key.material(verificationMethodType),
      }
    })
    const ids = verificationMethod.map(({ id }) => id)
    return {
      context: [],
      id: this.did,
      controller: [this.did],
      verificationMethod,
      authentication: ids,
      assertionMethod: ids.slice(0, 1),
      capabilityInvocation: [],
      capabilityDelegation: [],
      keyAgreement: [],
      service: [],
      alsoKnownAs: [],
    }
  }

  private async send(message: LedgerMessage): Promise<void> {
    const { code, rawLog } = await this.wallet.send([message], this.wallet.fee(100, 3_000_000))
    if (code !== 0) throw new Error(`the network refused it: ${rawLog}`)
  }
}
