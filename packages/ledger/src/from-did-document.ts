import { BOUNDS, isJsonObject, type Problem, problemsError } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'
import type { LedgerDidDoc, LedgerService, LedgerVerificationMethod } from './messages.js'
import { isVerificationMethodType, VERIFICATION_METHOD_TYPES } from './verification-material.js'

/** Where each member of a document is read, and thus which members are allowed. */
const MEMBERS = {
  '@context': 'context',
  id: 'id',
  controller: 'controller',
  verificationMethod: 'verificationMethod',
  authentication: 'authentication',
  assertionMethod: 'assertionMethod',
  capabilityInvocation: 'capabilityInvocation',
  capabilityDelegation: 'capabilityDelegation',
  keyAgreement: 'keyAgreement',
  service: 'service',
  alsoKnownAs: 'alsoKnownAs',
} as const satisfies Record<string, keyof LedgerDidDoc>

const METHOD_MEMBERS = ['id', 'type', 'controller', 'publicKeyBase58', 'publicKeyMultibase', 'publicKeyJwk']
const SERVICE_MEMBERS = [
  'id',
  'type',
  'serviceEndpoint',
  'recipientKeys',
  'routingKeys',
  'accept',
  'priority',
]

/**
 * The document as the ledger can hold it; a list with one element may be written as that element. The rules of the
 * ledger are not applied here.
 *
 * @throws AgentError `invalid_input` with the path of everything that the ledger has no place for
 */
export function fromDidDocument(document: DIDDocument): LedgerDidDoc {
  const reader = new DocumentReader()
  const doc = reader.document(document)
  if (reader.problems.length > 0) throw problemsError('invalid_input', reader.problems)
  return doc
}

type Members = Record<string, unknown>

/** Collects every problem, so that the caller can fix them all at once. */
class DocumentReader {
  readonly problems: Problem[] = []

  document(document: unknown): LedgerDidDoc {
    const members = this.members(document, '', Object.keys(MEMBERS))
    return {
      context: this.texts(members, '@context'),
      id: this.text(members, 'id'),
      controller: this.texts(members, 'controller'),
      verificationMethod: this.list(members, 'verificationMethod').map((value, n) =>
        this.verificationMethod(value, `verificationMethod[${n}]`),
      ),
      authentication: this.texts(members, 'authentication'),
      assertionMethod: this.list(members, 'assertionMethod').map((value, n) =>
        this.assertionMethod(value, `assertionMethod[${n}]`),
      ),
      capabilityInvocation: this.texts(members, 'capabilityInvocation'),
      capabilityDelegation: this.texts(members, 'capabilityDelegation'),
      keyAgreement: this.texts(members, 'keyAgreement'),
      service: this.list(members, 'service').map((value, n) => this.service(value, `service[${n}]`)),
      alsoKnownAs: this.texts(members, 'alsoKnownAs'),
    }
  }

  private verificationMethod(value: unknown, path: string): LedgerVerificationMethod {
    const members = this.members(value, path, METHOD_MEMBERS)
    const type = this.text(members, 'type', path)
    return {
      id: this.text(members, 'id', path),
      verificationMethodType: type,
      controller: this.text(members, 'controller', path),
      verificationMaterial: this.material(members, type, path),
    }
  }

  private material(members: Members, type: string, path: string): string {
    if (!isVerificationMethodType(type)) {
      this.report(`${path}.type`, `must be one of ${VERIFICATION_METHOD_TYPES.join(', ')}`)
      return ''
    }
    if (type === 'Ed25519VerificationKey2018') return this.text(members, 'publicKeyBase58', path)
    if (type === 'Ed25519VerificationKey2020') return this.text(members, 'publicKeyMultibase', path)
    if (isJsonObject(members.publicKeyJwk)) return JSON.stringify(members.publicKeyJwk)
    this.report(`${path}.publicKeyJwk`, 'must be an object')
    return ''
  }

  private assertionMethod(value: unknown, path: string): string {
    if (typeof value === 'string') return value
    if (!isJsonObject(value)) {
      this.report(path, 'must be a DID URL or a verification method')
      return ''
    }
    const { publicKeyJwk } = value
    const method = isJsonObject(publicKeyJwk)
      ? { ...value, publicKeyJwk: JSON.stringify(publicKeyJwk) }
      : value
    return JSON.stringify(JSON.stringify(method))
  }

  private service(value: unknown, path: string): LedgerService {
    const members = this.members(value, path, SERVICE_MEMBERS)
    if (members.serviceEndpoint === undefined) this.report(`${path}.serviceEndpoint`, 'is missing')
    return {
      id: this.text(members, 'id', path),
      serviceType: this.text(members, 'type', path),
      serviceEndpoint: this.texts(members, 'serviceEndpoint', path),
      recipientKeys: this.texts(members, 'recipientKeys', path),
      routingKeys: this.texts(members, 'routingKeys', path),
      accept: this.texts(members, 'accept', path),
      priority: this.priority(members.priority, path),
    }
  }

  private priority(value: unknown, path: string): number {
    if (value === undefined) return 0
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= BOUNDS.servicePriority)
      return value
    this.report(`${path}.priority`, `must be a whole number from 0 to ${BOUNDS.servicePriority}`)
    return 0
  }

  private members(value: unknown, path: string, allowed: readonly string[]): Members {
    if (!isJsonObject(value)) {
      this.report(path, 'must be an object')
      return {}
    }
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined && !allowed.includes(name)) {
        this.report(join(path, name), `is not supported by the ledger, which keeps ${allowed.join(', ')}`)
      }
    }
    return value
  }

  private text(members: Members, name: string, path = ''): string {
    const value = members[name]
    if (typeof value === 'string') return value
    this.report(join(path, name), value === undefined ? 'is missing' : 'must be a string')
    return ''
  }

  private texts(members: Members, name: string, path = ''): string[] {
    return this.list(members, name).map((value, n) => {
      if (typeof value === 'string') return value
      this.report(`${join(path, name)}[${n}]`, 'must be a string; the ledger keeps nothing else here')
      return ''
    })
  }

  private list(members: Members, name: string): unknown[] {
    const value = members[name]
    if (value === undefined) return []
    return Array.isArray(value) ? value : [value]
  }

  private report(path: string, message: string): void {
    this.problems.push({ path, message })
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
