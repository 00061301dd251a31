import { asDid, type Network, type Did } from '@vidimus/core-types'
import type { LedgerError } from './errors.js'
import { cheqdDid, normaliseUniqueId } from './identifiers.js'
import { keptDidUrl, splitKept } from './kept-did-url.js'
import type { DidDocWithMetadata, LedgerDidDoc, LedgerMessage, SignInfo } from './messages.js'
import { normaliseMessage } from './normalise-message.js'
import { refusal } from './refusals.js'
import { documentSigners, sortedUnique, updateSigners, type Signer } from './required-signers.js'
import { signBytes } from './sign-bytes.js'
import { validateOnLedger } from './validate-message.js'
import { verifySignature } from './verification-material.js'

/** What the rules need of the state of a ledger. Ids and DIDs are as the ledger keeps them. */
export interface LedgerState {
  /** the newest version of a document of this ledger */
  findDidDoc(did: string): Promise<DidDocWithMetadata | undefined>
  /** absent if ids are always new, as random UUIDs are */
  hasDidDocVersion?(did: string, versionId: string): Promise<boolean>
  hasResource?(collectionId: string, id: string): Promise<boolean>
}

/** The DID whose document a message creates, changes or publishes under, as the ledger keeps it. */
export function messageSubject(network: Network, message: LedgerMessage): Did {
  if (message.type !== 'createResource') return asDid(normaliseMessage(message).payload.id)
  return asDid(cheqdDid(network, normaliseUniqueId(message.payload.collectionId)))
}

/**
 * Applies the rules that depend on the state of the ledger, in the order of the node, so that of several errors the
 * same one is reported: whether the document exists and is active, whether its controllers exist, whether all
 * required signatures are there, and whether the version is new. The message passed {@link validateMessage} before.
 *
 * @param message - as it was sent: its signatures cover these bytes
 * @returns the newest version of the message's document; `undefined` if it creates the document
 * @throws LedgerError `cheqd` 1100, 1101, 1200, 1201, 1202, 1206, 1207, 1500, `resource` 2200, 2500, `sdk` 38
 */
export async function authoriseMessage(
  network: Network,
  message: LedgerMessage,
  state: LedgerState,
): Promise<DidDocWithMetadata | undefined> {
  const did = messageSubject(network, message)
  const previous = await state.findDidDoc(did)
  assertInOrder(network, message, did, previous)
  if (message.type === 'createResource') await assertNewResource(message, state)
  await new Authorisation(message, previous, state).assertAuthorised()
  await assertStorable(message, did, state)
  return previous
}

/** Which comes first, the rules for the message or the look at its document, is another thing for each type. */
function assertInOrder(
  network: Network,
  message: LedgerMessage,
  did: string,
  previous: DidDocWithMetadata | undefined,
): void {
  if (message.type === 'createDidDoc') {
    if (previous) throw refusal('cheqd', 1200, did)
    return validateOnLedger(network, message)
  }
  if (message.type === 'updateDidDoc') validateOnLedger(network, message)
  if (!previous) throw missing(message.type, did)
  if (message.type !== 'updateDidDoc') validateOnLedger(network, message)
  if (previous.metadata.deactivated) throw refusal('cheqd', 1207, did)
}

function missing(type: LedgerMessage['type'], did: string): LedgerError {
  if (type === 'createResource') return refusal('sdk', 38, did)
  return refusal('cheqd', 1201, type === 'updateDidDoc' ? `${did}: not found` : did)
}

async function assertNewResource(
  message: Extract<LedgerMessage, { type: 'createResource' }>,
  state: LedgerState,
): Promise<void> {
  const { collectionId, id } = normaliseMessage(message).payload
  if (await state.hasResource?.(collectionId, id)) throw refusal('resource', 2200, id)
}

/** Results that writing the message can reuse. */
async function assertStorable(message: LedgerMessage, did: string, state: LedgerState): Promise<void> {
  if (message.type === 'createResource') {
    if (message.payload.name.includes('\0')) {
      throw refusal('resource', 2500, 'the name contains a reserved character')
    }
    return
  }
  const versionId = message.payload.versionId.toLowerCase()
  if (message.type === 'createDidDoc' || !(await state.hasDidDocVersion?.(did, versionId))) return
  const detail = `diddoc version already exists for did ${did}, version ${versionId}: DID Doc exists`
  throw refusal('cheqd', 1500, detail)
}

/** One message on its way through the rules about signatures. */
class Authorisation {
  private readonly bytes: Uint8Array
  private readonly signatures: readonly SignInfo[]
  private readonly documents = new Map<string, LedgerDidDoc | undefined>()

  constructor(
    private readonly message: LedgerMessage,
    private readonly previous: DidDocWithMetadata | undefined,
    private readonly state: LedgerState,
  ) {
    this.bytes = signBytes(message)
    this.signatures = message.signatures.map(({ verificationMethodId, signature }) => ({
      verificationMethodId: keptDidUrl(verificationMethodId),
      signature,
    }))
    if (previous) this.documents.set(previous.didDoc.id, previous.didDoc)
  }

  async assertAuthorised(): Promise<void> {
    const message = normaliseMessage(this.message)
    if (message.type === 'createDidDoc') {
      this.documents.set(message.payload.id, message.payload)
      await this.assertControllersExist(message.payload)
      await this.assertAllSigned(documentSigners(message.payload))
    } else if (this.previous && message.type === 'updateDidDoc') {
      await this.assertControllersExist(message.payload)
      for (const signer of updateSigners(this.previous.didDoc, message.payload)) {
        await this.assertOneSigned(signer, message.payload)
      }
    } else if (this.previous) await this.assertAllSigned(documentSigners(this.previous.didDoc))
  }

  private async assertControllersExist(doc: LedgerDidDoc): Promise<void> {
    const controllers = [...doc.controller, ...doc.verificationMethod.map(({ controller }) => controller)]
    for (const did of sortedUnique(controllers)) {
      if (!(await this.document(did))) throw refusal('cheqd', 1201, did)
    }
  }

  /** Every signer has signed, and none of a signer's signatures is wrong. */
  private async assertAllSigned(signers: readonly string[]): Promise<void> {
    for (const signer of signers) {
      const signatures = this.signaturesBy(signer)
      if (signatures.length === 0) throw refusal('cheqd', 1101, `signer: ${signer}`)
      const doc = await this.document(signer)
      for (const info of signatures) {
        const fits = this.fits(info, doc)
        if (fits === undefined) throw refusal('cheqd', 1202, info.verificationMethodId)
        if (!fits) throw refusal('cheqd', 1100, `method id: ${info.verificationMethodId}`)
      }
    }
  }

  /** One signature suffices: a changed key makes the signature of the other version look wrong. */
  private async assertOneSigned({ did, version }: Signer, updated: LedgerDidDoc): Promise<void> {
    const signatures = this.signaturesBy(did)
    const name = version ? `${did} (${version} version)` : did
    if (signatures.length === 0)
      throw refusal('cheqd', 1101, `there should be at least one signature by ${name}`)
    const doc = version === 'new' ? updated : await this.document(did)
    if (signatures.some((info) => this.fits(info, doc))) return
    throw refusal('cheqd', 1100, `there should be at least one valid signature by ${name}`)
  }

  private signaturesBy(did: string): SignInfo[] {
    return this.signatures.filter((info) => splitKept(info.verificationMethodId).did === did)
  }

  /** `undefined` if the document has no such verification method. */
  private fits(info: SignInfo, doc: LedgerDidDoc | undefined): boolean | undefined {
    const method = doc?.verificationMethod.find(({ id }) => id === info.verificationMethodId)
    return method && verifySignature(method, this.bytes, info.signature)
  }

  private async document(did: string): Promise<LedgerDidDoc | undefined> {
    if (!this.documents.has(did)) this.documents.set(did, (await this.state.findDidDoc(did))?.didDoc)
    return this.documents.get(did)
  }
}
