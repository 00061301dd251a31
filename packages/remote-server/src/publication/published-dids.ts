import {
  didWebUrl,
  isUnderPublicUrl,
  webDidAt,
  type DidUrlResult,
  type PublishedDocument,
} from '@vidimus/core-types'
import { documentAnswer } from '../identifiers/answer-document.js'
import { IDENTIFIERS_PATH } from '../identifiers/identifiers-route.js'
import { UNASKED, USUAL_RESULT } from '../identifiers/representations.js'
import type { ServerSettings } from '../options.js'
import type { ServiceAgent } from '../service-agent.js'
import { webDidAnswer } from '../web-dids/web-did-route.js'
import { answerFile, fileForm } from './answer-file.js'

/** Verifiers whose libraries expect keys as JWKs request this form. */
const WITH_JWKS = '?transformKeys=JsonWebKey2020'

type FoundDocument = DidUrlResult & { found: 'document' }

/** Distinguishes a resolution result from the document in it. */
const RESULT_FORM = 'did-resolution'
const DOCUMENT_FORM = fileForm(UNASKED.contentType)

/** DID documents and their resolution results, as the resolver endpoint returns them. */
export class PublishedDids {
  private readonly agent: ServiceAgent
  private readonly publicUrl: string | undefined

  constructor({ agent, publicUrl }: Pick<ServerSettings, 'agent' | 'publicUrl'>) {
    this.agent = agent
    this.publicUrl = publicUrl
  }

  /** @returns `undefined` for a DID that is not served here */
  async read(did: string): Promise<PublishedDocument | undefined> {
    return did.startsWith('did:web:') ? this.ofWeb(did) : this.ofLedger(did)
  }

  /** @returns `undefined` if a path is not that of the current document of a DID, in its usual form */
  at(path: string): string | undefined {
    const identifiers = `${IDENTIFIERS_PATH.slice(1)}/`
    if (path.startsWith(identifiers)) {
      const did = path.slice(identifiers.length)
      return LEDGER_DID.test(did) ? did : undefined
    }
    if (this.publicUrl === undefined) return undefined
    const steps = path.split('/').map(encodeURIComponent).join('/')
    const did = webDidAt(new URL(steps, `${this.publicUrl}/`))
    return did !== undefined && this.pathOfWeb(did) === path ? did : undefined
  }

  private async ofLedger(did: string): Promise<PublishedDocument | undefined> {
    const documents = await Promise.all(['', WITH_JWKS].map((query) => this.ofDidUrl(`${did}${query}`)))
    const [plain] = documents
    const all = documents.filter((document) => document !== undefined)
    return (
      plain && { ...plain, files: all.flatMap(({ files }) => files), gone: all.flatMap(({ gone }) => gone) }
    )
  }

  private async ofDidUrl(didUrl: string): Promise<PublishedDocument | undefined> {
    const result = await this.agent.didUrlDereference({ didUrl })
    if (result.found !== 'document') return undefined
    const path = `${IDENTIFIERS_PATH}/${didUrl}`
    const { versionId = '', deactivated } = result.didDocumentMetadata
    const time = documentTime(result)
    const resolution = await answerFile(
      { path, form: RESULT_FORM, isUsual: false },
      documentAnswer(didUrl, result, USUAL_RESULT, new Date(time)),
    )
    const common = { version: { id: versionId, time }, history: [] }
    // The document alone does not show that it is deactivated, unlike the status of a response.
    if (deactivated) {
      return { ...common, files: [resolution], gone: [{ path: resolution.path, form: DOCUMENT_FORM }] }
    }
    const document = await answerFile({ path, form: DOCUMENT_FORM }, documentAnswer(didUrl, result, UNASKED))
    return { ...common, files: [document, resolution], gone: [] }
  }

  private async ofWeb(did: string): Promise<PublishedDocument | undefined> {
    const path = this.pathOfWeb(did)
    if (path === undefined) return undefined
    const document = await this.agent.webDidDocument({ did })
    if (!document) return { files: [], history: [], gone: [{ path, form: DOCUMENT_FORM }] }
    const file = await answerFile({ path, form: DOCUMENT_FORM }, webDidAnswer(document))
    return { files: [file], history: [], gone: [], isIdentity: true }
  }

  /** Accounts choose these paths: they must not collide with other files or with paths that servers reserve. */
  private pathOfWeb(did: string): string | undefined {
    const { publicUrl } = this
    const url = didWebUrl(did)
    if (publicUrl === undefined || !url || !isUnderPublicUrl(did, publicUrl)) return undefined
    const path = decodeURIComponent(url.pathname.slice(new URL(`${publicUrl}/`).pathname.length))
    const folders = path.split('/').slice(0, -1)
    const isOwnFolder = (folder: string) => /^[._]/.test(folder) || folder === 'did.json'
    if (path === '.well-known/did.json') return path
    if (OF_THE_SERVICE.has(folders[0] ?? '') || folders.some(isOwnFolder)) return undefined
    return path
  }
}

const LEDGER_DID = /^did:cheqd:[a-z]+:[A-Za-z0-9-]+$/

/** Folders served by the service itself. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['status-lists', '1.0'])

/** Last change of a DID: of its document or of the metadata of its resources. */
function documentTime({ didDocumentMetadata }: FoundDocument): string {
  const {
    created = '',
    updated = '',
    linkedResourceMetadata,
  } = didDocumentMetadata as {
    created?: string
    updated?: string
    linkedResourceMetadata?: readonly { created: string }[]
  }
  const times = [created, updated, ...(linkedResourceMetadata ?? []).map((resource) => resource.created)]
  const last = Math.max(...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)))
  return new Date(Number.isFinite(last) ? last : 0).toISOString()
}
