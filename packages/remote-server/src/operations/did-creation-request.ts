import type { IDIDManagerCreateArgs } from '@veramo/core-types'
import {
  AgentError,
  findKeyRow,
  KEY_METHOD_TYPES,
  KEY_METHODS,
  type Problem,
  problemsError,
} from '@vidimus/core-types'
import { nearMiss } from '../input/near-miss.js'
import type { OperationSettings } from '../options.js'
import type { ServiceAgent } from '../service-agent.js'
import type { CreateDidBody } from '../schemas/did-creation.js'
import { chosenKms } from './chosen-kms.js'

interface Surroundings {
  agent: ServiceAgent
  settings: OperationSettings
  providers: readonly string[]
}

type Fields = Pick<CreateDidBody, 'network' | 'identifierFormatType' | 'service' | 'didDocument'> & {
  verificationMethodType?: NonNullable<CreateDidBody['verificationMethodType']>
  key?: string
  keyType?: string
  context?: string[]
}

/** Providers whose DIDs are made of a key: fields that do not apply to them are refused here. */
const isKeyOnly = (provider: string): boolean => KEY_METHODS.includes(provider)

/** did:web method specification: a domain, its port escaped, and optionally a path. */
export const WEB_DID =
  /^did:web:([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?:%3[Aa]\d{1,5})?(?::[A-Za-z0-9._~%-]+)*)$/

/**
 * The arguments for the DID manager.
 *
 * @throws AgentError `invalid_input` with every problem, `unknown_provider`, `key_not_found`
 */
export async function creationRequest(
  body: CreateDidBody,
  around: Surroundings,
): Promise<IDIDManagerCreateArgs> {
  const provider = chosenProvider(body, around)
  const problems: Problem[] = []
  const fields = agreedFields(body, problems)
  const request = isKeyOnly(provider)
    ? keyOnlyRequest(provider, fields, problems)
    : ledgerRequest(provider, fields, problems)
  if (body.kms !== undefined && fields.key !== undefined) {
    problems.push({ path: 'kms', message: 'cannot be combined with a key: the key stays in its KMS' })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  if (fields.key !== undefined)
    await mustHoldKey(around.agent, fields.key, {
      path: body.key === undefined ? 'options.key' : 'key',
      provider,
    })
  return { provider, kms: await chosenKms(body.kms, around.agent, around.settings), ...request }
}

function chosenProvider({ providerId }: CreateDidBody, { settings, providers }: Surroundings): string {
  const provider = providerId ?? settings.defaultProvider
  if (providers.includes(provider)) return provider
  const meant = nearMiss(provider, providers)
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
  const message = `is not a configured provider of DIDs (${providers.join(', ')})${hint}`
  throw new AgentError('unknown_provider', `providerId: ${message}`, {
    details: [{ path: 'providerId', message }],
  })
}

/** Merges fields that may be given beside `options` or inside it. */
function agreedFields(body: CreateDidBody, problems: Problem[]): Fields {
  const { options = {}, '@context': context, network, identifierFormatType, service, didDocument } = body
  for (const name of ['key', 'verificationMethodType'] as const) {
    if (body[name] !== undefined && options[name] !== undefined && body[name] !== options[name]) {
      problems.push({ path: `options.${name}`, message: `differs from ${name}` })
    }
  }
  const verificationMethodType = body.verificationMethodType ?? options.verificationMethodType
  const key = body.key ?? options.key
  return {
    ...(network && { network }),
    ...(identifierFormatType && { identifierFormatType }),
    ...(service && { service }),
    ...(didDocument && { didDocument }),
    ...(verificationMethodType && { verificationMethodType }),
    ...(key !== undefined && { key }),
    ...(options.keyType && { keyType: options.keyType }),
    ...(context && { context }),
  }
}

/** did:cheqd, and every provider unknown here, which validates its options itself. */
function ledgerRequest(provider: string, fields: Fields, problems: Problem[]): { options: object } {
  const { key, keyType, ...options } = fields
  const isCheqd = provider === 'did:cheqd' || provider.startsWith('did:cheqd:')
  if (isCheqd && options.network === undefined && options.didDocument?.id === undefined) {
    problems.push({
      path: 'network',
      message: 'is required, unless didDocument.id names it (testnet, mainnet)',
    })
  }
  if (isCheqd && keyType !== undefined && keyType !== 'Ed25519') {
    problems.push({ path: 'options.keyType', message: 'must be "Ed25519" for did:cheqd' })
  }
  return {
    options: {
      ...options,
      ...(key !== undefined && { publicKeyHex: key }),
      ...(!isCheqd && keyType !== undefined && { keyType }),
    },
  }
}

const PATHS = { context: '@context', keyType: 'options.keyType' } as const

function keyOnlyRequest(provider: string, fields: Fields, problems: Problem[]) {
  const { key, keyType, didDocument, ...inapplicable } = fields
  for (const name of Object.keys(inapplicable)) {
    problems.push({
      path: name === 'context' ? PATHS.context : name,
      message: `does not apply to ${provider}`,
    })
  }
  if (keyType !== undefined && key !== undefined) {
    problems.push({ path: PATHS.keyType, message: 'cannot be combined with a key' })
  }
  const options = key === undefined ? { keyType: keyType ?? 'Ed25519' } : { keyRef: key }
  if (provider === 'did:web') return { alias: webAlias(didDocument, problems), options }
  if (didDocument) problems.push({ path: 'didDocument', message: `does not apply to ${provider}` })
  return { options }
}

/** The service does not create such a DID: it follows from where its owner publishes the document. */
function webAlias(didDocument: CreateDidBody['didDocument'], problems: Problem[]): string {
  const { id, ...others } = didDocument ?? {}
  for (const name of Object.keys(others)) {
    problems.push({
      path: `didDocument.${name}`,
      message: 'does not apply to did:web, whose document you publish yourself',
    })
  }
  const [, alias] = WEB_DID.exec(id ?? '') ?? []
  if (alias === undefined) {
    problems.push({ path: 'didDocument.id', message: 'must be a did:web, such as did:web:example.com' })
  }
  return alias ?? ''
}

async function mustHoldKey(
  agent: ServiceAgent,
  kid: string,
  { path, provider }: { path: string; provider: string },
): Promise<void> {
  const key = await findKeyRow({ agent }, kid)
  if (!key) {
    const message = 'is not the public key of a key that the account holds'
    throw problemsError('key_not_found', [{ path, message }])
  }
  const types: readonly string[] = KEY_METHOD_TYPES
  if (!isKeyOnly(provider) || types.includes(key.type)) return
  const message = `is a key of type ${key.type}; ${provider} takes ${types.join(', ')}`
  throw problemsError('invalid_input', [{ path, message }])
}
