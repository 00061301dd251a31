import type { IAgentContext, IIdentifier, IKeyManager } from '@veramo/core-types'
import { JwkDIDProvider as VeramoJwkDIDProvider } from '@veramo/did-provider-jwk'
import { KeyDIDProvider as VeramoKeyDIDProvider } from '@veramo/did-provider-key'
import { WebDIDProvider as VeramoWebDIDProvider } from '@veramo/did-provider-web'
import { bytesToMultibase, importOrCreateKey } from '@veramo/utils'
import type { ChecksCreateOptions } from '@vidimus/core-types'
import { compressedHex } from '@vidimus/verification-methods'
import { checkedKeyOptions, fittingKeyOptions } from './key-options.js'

type Context = IAgentContext<IKeyManager>
type Created = Promise<Omit<IIdentifier, 'provider'>>

interface CreateArgs {
  kms?: string
  alias?: string
  /** {@link KeyOptions} */
  options?: object
}

/** did:key as Veramo creates it, and with keys of the type Secp256r1, which Veramo resolves but does not create. */
export class KeyDIDProvider extends VeramoKeyDIDProvider implements ChecksCreateOptions {
  private readonly kms: string

  /** @param options - `defaultKms`: where new keys are, unless the caller names a KMS */
  constructor(options: { defaultKms: string }) {
    super(options)
    this.kms = options.defaultKms
  }

  checkCreateOptions(options: unknown): void {
    checkedKeyOptions('did:key', options)
  }

  /** @throws AgentError `invalid_input` with every problem */
  override async createIdentifier({ kms = this.kms, options }: CreateArgs, context: Context): Created {
    const { type, keyRef, key: described } = await fittingKeyOptions('did:key', options, context)
    if (type !== 'Secp256r1')
      return super.createIdentifier({ kms, options: { keyRef, key: described } as {} }, context)
    const key =
      keyRef === undefined
        ? await importOrCreateKey({ kms, options: { ...described, type } }, context)
        : await context.agent.keyManagerGet({ kid: keyRef })
    const point = Buffer.from(compressedHex(key.publicKeyHex), 'hex')
    const did = `did:key:${bytesToMultibase(point, 'base58btc', 'p256-pub')}`
    return { did, controllerKeyId: key.kid, keys: [key], services: [] }
  }
}

/** did:jwk as Veramo creates it. */
export class JwkDIDProvider extends VeramoJwkDIDProvider implements ChecksCreateOptions {
  checkCreateOptions(options: unknown): void {
    checkedKeyOptions('did:jwk', options)
  }

  /** @throws AgentError `invalid_input` with every problem */
  override async createIdentifier({ kms, options }: CreateArgs, context: Context): Created {
    const { type: _, ...fitting } = await fittingKeyOptions('did:jwk', options, context)
    return super.createIdentifier({ ...(kms && { kms }), options: fitting as {} }, context)
  }
}

/** did:web as Veramo creates it. */
export class WebDIDProvider extends VeramoWebDIDProvider implements ChecksCreateOptions {
  checkCreateOptions(options: unknown): void {
    checkedKeyOptions('did:web', options)
  }

  /** @throws AgentError `invalid_input` with every problem */
  override async createIdentifier({ kms, alias, options }: CreateArgs, context: Context): Created {
    const { type: _, ...fitting } = await fittingKeyOptions('did:web', options, context)
    return super.createIdentifier(
      { ...(kms && { kms }), ...(alias && { alias }), options: fitting as {} },
      context,
    )
  }
}
