import { AgentError, type ErrorCode } from '@vidimus/core-types'

/** Veramo's errors differ only by how their messages begin; texts without a colon are older ones. */
const BY_BEGINNING: readonly (readonly [beginning: string, code: ErrorCode, sentence?: string])[] = [
  ['key_not_found:', 'key_not_found', 'the account holds no such key'],
  ['Key not found', 'key_not_found', 'the account holds no such key'],
  ['key_not_managed:', 'key_not_found', 'the account holds no such key'],
  ['key_already_exists:', 'alias_taken', 'the account already holds another key with this name'],
  ['Identifier not found', 'did_not_found', 'the account holds no such DID'],
  ['Identifier provider does not exist', 'unknown_provider', 'no such DID provider is configured'],
  ['not_found: DID document fragment', 'invalid_input', 'didUrl: does not name a part of the document'],
  ['not_found:', 'did_not_found', 'the account holds no such DID'],
  [
    'invalid_argument: credential.issuer must be a DID managed',
    'did_not_found',
    'credential.issuer: the account holds no such DID',
  ],
  ['invalid_argument:', 'invalid_input'],
  ['invalid_arguments:', 'invalid_input'],
  ['illegal_argument:', 'invalid_input'],
  ['illegal_operation:', 'invalid_input'],
  ['not_supported:', 'invalid_input'],
  [
    'invalid_setup: No provider found',
    'invalid_input',
    'proofFormat: this proof cannot be created with the key',
  ],
  ['format_error:', 'invalid_credential', 'a credential is neither a JWT nor an object with one'],
  ['schema_error:', 'invalid_credential'],
  ['bad_jwe:', 'invalid_input', 'data: is not a JWE'],
  ['failure: Failed to decrypt', 'invalid_input', 'data: was not encrypted for this key'],
  ['bad point', 'invalid_input', 'a public key is not a point of its curve'],
  ['Non-base', 'invalid_input', 'data: does not match its encoding'],
  ['Unknown type, must be binary type', 'invalid_input', 'data: must be text'],
  ['KeyDIDProvider', 'invalid_input', 'a DID of did:key cannot be changed'],
  ['WebDIDProvider updateIdentifier', 'invalid_input', 'a DID of did:web cannot be changed as a whole'],
]

const LONGEST_SENTENCE = 200

/** The error as one of ours if it is a Veramo error caused by the caller; `undefined` otherwise. */
export function fromVeramoError(error: unknown): AgentError | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  const found = BY_BEGINNING.find(([beginning]) => message.startsWith(beginning))
  if (!found) return undefined
  const [beginning, code, sentence] = found
  return new AgentError(code, sentence ?? withoutValues(message.slice(beginning.length)), { cause: error })
}

/** Such messages repeat arguments, which may be keys. */
function withoutValues(text: string): string {
  const sentence = text.trim().replace(/[\w+/=.-]{32,}/g, '...')
  if (sentence === '') return 'the arguments are invalid'
  return sentence.length > LONGEST_SENTENCE ? `${sentence.slice(0, LONGEST_SENTENCE)}...` : sentence
}
