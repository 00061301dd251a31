import { AgentError, BOUNDS, isAgentError } from '@vidimus/core-types'
import { fromVeramoError } from '../errors/veramo-errors.js'

type Arguments = Readonly<Record<string, unknown>>

/** Messages of Veramo's own plugins, also for plugins that replace them. */
const OF_VERAMO =
  /^(?:keyManager|didManager)|^(?:resolveDid|getDIDComponentById|createVerifiable(?:Credential|Presentation)|listUsableProofFormats)$/

/** The message of Veramo's stores for a DID that they do not have. */
const NO_IDENTIFIER = 'Identifier not found'

/** Redacts private keys in messages of Veramo. */
const LONG_HEX = /[0-9a-f]{64,}/gi

/**
 * The error as a remote agent knows it from Veramo, whose agents distinguish errors only by message: Veramo's own
 * message if it has one, otherwise ours behind its prefix. Code and details are kept.
 *
 * @param error - of the method, or of the validation of its arguments
 * @returns `error` itself if Veramo has no equivalent
 */
export function inVeramoWords(error: unknown, method: string, args: Arguments): unknown {
  const known = isAgentError(error) ? error : fromVeramoError(error)
  if (!known) return error
  const sentence = isAgentError(error)
    ? OF_VERAMO.test(method) && standingFor(error, method, args)
    : veramoSentence(error)
  if (!sentence) return error
  return new AgentError(known.code, sentence.slice(0, BOUNDS.text), { details: known.details, cause: error })
}

/** @returns `undefined` for concepts unknown to Veramo: scopes, quotas, rules of ledgers */
function standingFor(error: AgentError, method: string, args: Arguments): string | undefined {
  const { code, message, details, cause } = error
  const path = details[0]?.path
  if (code === 'key_not_found') return 'Key not found'
  if (code === 'did_not_found') return NO_IDENTIFIER
  if (code === 'unknown_provider') return `Identifier provider does not exist: ${String(args.provider)}`
  if (code === 'alias_taken') {
    return (
      veramoSentence(cause) ??
      (method.startsWith('didManager') && path === 'alias'
        ? aliasTaken(args)
        : `key_already_exists: ${message}`)
    )
  }
  if (code !== 'invalid_input' && code !== 'key_mismatch') return undefined
  if (method === 'keyManagerCreate' && path === 'type' && typeof args.type === 'string')
    return `not_supported: Key type not supported: ${args.type}`
  if (path === 'algorithm') return `not_supported: ${message}`
  if (path === 'kms' && typeof args.kms === 'string')
    return `invalid_argument: This agent has no registered KeyManagementSystem with name='${args.kms}'`
  return `invalid_argument: ${message}`
}

const aliasTaken = ({ alias }: Arguments) =>
  `illegal_argument: Identifier with alias: ${String(alias)} already exists`

/** Veramo's message, without additions of our stores and without keys. */
function veramoSentence(error: unknown): string | undefined {
  if (!(error instanceof Error) || !fromVeramoError(error)) return undefined
  return error.message.replace(/AgentError: did: .*/s, `Error: ${NO_IDENTIFIER}`).replace(LONG_HEX, '...')
}
