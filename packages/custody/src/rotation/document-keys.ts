import type {
  DIDDocument,
  IAgentContext,
  IDIDManager,
  IKey,
  IKeyManager,
  IResolver,
} from '@veramo/core-types'
import { AgentError, isAgentError, type IDIDHolding, type Kid } from '@vidimus/core-types'
import { absoluteId, isSameKey, ownMethods, publicKeyHexOf } from '@vidimus/verification-methods'
import { bringInLine } from '../identifier-merge.js'
import type { UnitOfWork } from '../unit-of-work.js'

export type DocumentContext = IAgentContext<IDIDManager & IKeyManager & IResolver & IDIDHolding>

/** The relationships of signing keys. Key agreement keys are not rotated. */
const SIGNING = ['authentication', 'assertionMethod', 'capabilityInvocation', 'capabilityDelegation'] as const

/**
 * Puts a key of the account into the DID document, before all others, wherever the former one is; does nothing if it
 * is there already. One change of the document.
 *
 * @throws AgentError as `didManagerAddKey` does
 */
export async function addToDocument(
  did: string,
  { kid, formerKid }: { kid: Kid; formerKid: Kid },
  context: DocumentContext,
): Promise<void> {
  const { agent } = context
  const [key, former] = await Promise.all([
    agent.keyManagerGet({ kid }),
    agent.keyManagerGet({ kid: formerKid }),
  ])
  const document = await resolveDocument(did, context)
  const methods = methodIdsOf(document, former)
  const relationships = SIGNING.filter(
    (name) =>
      name === 'assertionMethod' ||
      (document[name] ?? []).some((entry) =>
        methods.has(absoluteId(did, typeof entry === 'string' ? entry : entry.id)),
      ),
  )
  await agent.didManagerAddKey({ did, key, options: { first: true, relationships } })
}

/**
 * Removes a key from the DID document, with all references to it; it stays in the account. Does nothing if it is not
 * there.
 *
 * @throws AgentError as `didManagerRemoveKey` does
 */
export async function takeOutOfDocument(
  unit: UnitOfWork,
  { did, kid }: { did: string; kid: Kid },
  context: DocumentContext,
): Promise<void> {
  const { agent } = context
  const key = await agent.keyManagerGet({ kid })
  if (methodIdsOf(await resolveDocument(did, context), key).size > 0) {
    try {
      await agent.didManagerRemoveKey({ did, kid })
    } catch (error) {
      if (!isAgentError(error) || error.code !== 'key_not_found') throw error
    }
  }
  // Which key controls the DID follows the document.
  await bringInLine(unit, did, context)
}

async function resolveDocument(did: string, { agent }: DocumentContext): Promise<DIDDocument> {
  const { didDocument, didDocumentMetadata } = await agent.resolveDid({
    didUrl: did,
    options: { linkedResourceMetadata: false },
  })
  if (didDocumentMetadata.deactivated) throw new AgentError('did_deactivated', `did: ${did} is deactivated`)
  if (didDocument) return didDocument
  throw new AgentError('did_not_resolvable', `did: ${did} cannot be resolved`)
}

const methodIdsOf = (document: DIDDocument, key: Pick<IKey, 'type' | 'publicKeyHex'>): Set<string> =>
  new Set(
    ownMethods(document).flatMap(({ id, publicKey }) => {
      const publicKeyHex = publicKeyHexOf(publicKey)
      return publicKeyHex !== undefined && isSameKey(key, { type: publicKey.type, publicKeyHex }) ? [id] : []
    }),
  )
