import { randomUUID } from 'node:crypto'
import { AbstractIdentifierProvider } from '@veramo/did-manager'
import type { IAgentContext, IDIDManager, IIdentifier, IKey, IKeyManager, IService } from '@veramo/core-types'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { DocumentFolder, type FiledDocument } from './document-folder.js'

export interface FolderDIDProviderOptions {
  /** the folder of the documents; created if it does not exist */
  folder: string
  /** the KMS of new keys */
  defaultKms: string
}

type Context = IAgentContext<IKeyManager>

/** An error of the caller: the service recognises it by this prefix, and responds with 400. */
const mistake = (sentence: string) => new Error(`invalid_argument: ${sentence}`)

/**
 * did:folder: DID documents as files in one folder. Anyone who can write there can change every document, so the
 * method is as trustworthy as that folder: fine for your own house, not for the world.
 */
export class FolderDIDProvider extends AbstractIdentifierProvider {
  private readonly documents: DocumentFolder
  private readonly defaultKms: string

  constructor({ folder, defaultKms }: FolderDIDProviderOptions) {
    super()
    this.documents = new DocumentFolder(folder)
    this.defaultKms = defaultKms
  }

  /** Makes a key and files a document in which it may do everything. */
  async createIdentifier(
    { kms, alias }: { kms?: string; alias?: string },
    { agent }: Context,
  ): Promise<Omit<IIdentifier, 'provider'>> {
    const key = await agent.keyManagerCreate({ kms: kms ?? this.defaultKms, type: 'Ed25519' })
    const did = `did:folder:${randomUUID()}`
    await this.documents.change(did, () => ({
      didDocument: withKey({ '@context': CONTEXTS, id: did, controller: did }, key),
      created: new Date().toISOString(),
    }))
    return { did, controllerKeyId: key.kid, keys: [key], services: [], ...(alias !== undefined && { alias }) }
  }

  /**
   * Takes the given members of the document, except those that identify it. The agent keeps the returned identifier:
   * without keys, it would forget them.
   */
  async updateIdentifier(
    { did, document }: { did: string; document: Partial<DIDDocument> },
    { agent }: IAgentContext<IKeyManager & IDIDManager>,
  ): Promise<IIdentifier> {
    if (document.id !== undefined && document.id !== did) throw mistake('document.id: names another DID')
    const identifier = await agent.didManagerGet({ did })
    const { service = [] } = await this.update(did, (current) => ({ ...current, ...document, id: did }))
    return { ...identifier, services: service }
  }

  /**
   * Releases the DID. The document stays: other accounts may hold the DID as well, and nobody else may take it over
   * later.
   */
  deleteIdentifier(): Promise<boolean> {
    return Promise.resolve(true)
  }

  addKey({ identifier: { did }, key }: { identifier: IIdentifier; key: IKey }): Promise<DIDDocument> {
    return this.update(did, (document) => withKey(document, key))
  }

  removeKey({ identifier: { did }, kid }: { identifier: IIdentifier; kid: string }): Promise<DIDDocument> {
    return this.update(did, (document) => withoutKey(document, kid))
  }

  addService({ identifier, service }: { identifier: IIdentifier; service: IService }): Promise<DIDDocument> {
    const { did } = identifier
    const id = service.id.startsWith(`${did}#`) ? service.id : `${did}#${service.id.replace(/^.*#/, '')}`
    return this.update(did, (document) => {
      const { service: services = [] } = document
      if (services.some((other) => other.id === id)) throw mistake('service.id: is used already')
      return { ...document, service: [...services, { ...service, id }] }
    })
  }

  removeService({ identifier, id }: { identifier: IIdentifier; id: string }): Promise<DIDDocument> {
    return this.update(identifier.did, (document) => ({
      ...document,
      service: (document.service ?? []).filter((service) => service.id !== id),
    }))
  }

  private async update(did: string, change: (document: DIDDocument) => DIDDocument): Promise<DIDDocument> {
    const { didDocument } = await this.documents.change(did, (filed) => {
      const current = existing(filed)
      return { ...current, didDocument: change(current.didDocument), updated: new Date().toISOString() }
    })
    return didDocument
  }
}

const CONTEXTS = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1']
const RELATIONSHIPS = ['authentication', 'assertionMethod'] as const

function existing(filed: FiledDocument | undefined): FiledDocument {
  if (!filed) throw mistake('did: has no document in the folder')
  return filed
}

/** The key gets the fragment of its kid, so that it is found again for removing. */
function withKey(document: DIDDocument, { kid, type, publicKeyHex }: IKey): DIDDocument {
  if (type !== 'Ed25519') throw mistake('key.type: must be Ed25519')
  const id = `${document.id}#${kid}`
  const method: VerificationMethod = {
    id,
    type: 'JsonWebKey2020',
    controller: document.id,
    publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKeyHex, 'hex').toString('base64url') },
  }
  const { verificationMethod = [] } = document
  if (verificationMethod.some((other) => other.id === id)) return document
  return {
    ...document,
    verificationMethod: [...verificationMethod, method],
    ...Object.fromEntries(RELATIONSHIPS.map((name) => [name, [...(document[name] ?? []), id]])),
  }
}

function withoutKey(document: DIDDocument, kid: string): DIDDocument {
  const id = `${document.id}#${kid}`
  const others = (document.verificationMethod ?? []).filter((method) => method.id !== id)
  if (others.length === 0) throw mistake('kid: is the last key, without which nobody could use the DID')
  return {
    ...document,
    verificationMethod: others,
    ...Object.fromEntries(
      RELATIONSHIPS.map((name) => [name, (document[name] ?? []).filter((one) => one !== id)]),
    ),
  }
}
