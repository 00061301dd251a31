import type { IAgentContext, IKeyManager } from '@veramo/core-types'
import { checkArguments, KEY_METHOD_TYPES, problemsError } from '@vidimus/core-types'
import { z } from 'zod'

/** What Veramo's providers of did:key, did:jwk and did:web take as `options`, and their key types. */
export interface KeyOptions {
  /** the `kid` of a key that the account holds; otherwise a key is created, or imported */
  keyRef?: string
  key?: { type?: string; kid?: string; privateKeyHex?: string; publicKeyHex?: string; meta?: object }
  /** in place of `key.type` */
  keyType?: string
  /** in place of `key.privateKeyHex` */
  privateKeyHex?: string
  /** of did:jwk alone */
  keyUse?: 'sig' | 'enc'
}

export type KeyMethod = 'did:key' | 'did:jwk' | 'did:web'

const keyOptions = (method: KeyMethod) => {
  const type = z.enum(KEY_METHOD_TYPES)
  const hex = z.string().regex(/^(?:0x)?(?:[0-9a-fA-F]{2})+$/, 'must be hexadecimal')
  const key = z.strictObject({
    type: type.optional(),
    kid: z.string().optional(),
    privateKeyHex: hex.optional(),
    publicKeyHex: hex.optional(),
    meta: z.looseObject({}).optional(),
  })
  return z
    .strictObject({
      /** added by Veramo's DIDManager */
      providerName: z.string().optional(),
      keyRef: z.string().min(1).optional(),
      key: key.optional(),
      keyType: type.optional(),
      privateKeyHex: hex.optional(),
      ...(method === 'did:jwk' && { keyUse: z.enum(['sig', 'enc']).optional() }),
    })
    .superRefine((options, context) => {
      const { keyRef, key: described } = options
      const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
      for (const name of ['key', 'keyType', 'privateKeyHex'] as const)
        if (keyRef !== undefined && options[name] !== undefined)
          problem([name], 'cannot be combined with keyRef')
      if (described?.type && options.keyType && described.type !== options.keyType)
        problem(['key', 'type'], 'differs from keyType')
      if (
        described?.privateKeyHex &&
        options.privateKeyHex &&
        described.privateKeyHex !== options.privateKeyHex
      )
        problem(['key', 'privateKeyHex'], 'differs from privateKeyHex')
    })
}

const schemaOf = (method: KeyMethod) => z.object({ options: keyOptions(method).nullish() })

const SCHEMAS = {
  'did:key': schemaOf('did:key'),
  'did:jwk': schemaOf('did:jwk'),
  'did:web': schemaOf('did:web'),
}

/**
 * The options of a creation, of which Veramo's providers ignore what they do not know: also the type of the key.
 *
 * @throws AgentError `invalid_input` with every problem
 */
export const checkedKeyOptions = (method: KeyMethod, options: unknown): KeyOptions =>
  checkArguments(SCHEMAS[method], { options }).options ?? {}

/**
 * The same, and the type of a key that the account holds already.
 *
 * @returns the options in the spelling of `key` or `keyRef` alone, with the type of the key if it is known
 */
export async function fittingKeyOptions(
  method: KeyMethod,
  options: unknown,
  { agent }: IAgentContext<IKeyManager>,
): Promise<KeyOptions & { type?: string }> {
  const { keyRef, key, keyType, privateKeyHex, keyUse } = checkedKeyOptions(method, options)
  const use = keyUse && { keyUse }
  if (keyRef === undefined) {
    const type = key?.type ?? keyType
    const hex = key?.privateKeyHex ?? privateKeyHex
    return {
      ...use,
      ...(type && { type }),
      key: { ...key, ...(type && { type }), ...(hex && { privateKeyHex: hex }) },
    }
  }
  const { type } = await agent.keyManagerGet({ kid: keyRef })
  const types: readonly string[] = KEY_METHOD_TYPES
  if (types.includes(type)) return { ...use, keyRef, type }
  const message = `is a key of type ${type}; ${method} takes ${types.join(', ')}`
  throw problemsError('invalid_input', [{ path: 'options.keyRef', message }])
}
