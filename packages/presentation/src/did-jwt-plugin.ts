import type { IAgentContext, IAgentPlugin, IResolver } from '@veramo/core-types'
import {
  checkArguments,
  pluginSchema,
  type DIDHeldKeyArgs,
  type DIDJwtCreateArgs,
  type DIDJwtVerifyArgs,
  type DIDJwtVerifyResult,
  type HeldKey,
  type IDIDHolding,
  type IDIDJwt,
} from '@vidimus/core-types'
import { z } from 'zod'
import { documentSource } from './did-documents.js'
import { parseJwt } from './jwt-form.js'
import type { MethodsInContext } from './methods-in-context.js'
import { heldDidKey } from './held-did-key.js'
import {
  DIDHeldKeySchema,
  DIDJwtCreateSchema,
  DIDJwtVerifyResultSchema,
  DIDJwtVerifySchema,
  HeldKeySchema,
} from './schemas.js'
import { signJwt, type SigningContext } from './sign-jwt.js'
import { verifyJwt } from './verify-jwt.js'

/**
 * Agent plugin for JWTs that DIDs sign, and for who may sign as them: Ed25519 (`EdDSA`), P-256 (`ES256`) and secp256k1 (`ES256K`). Every JWT names
 * its verification method in `kid`. Signing takes one look-up of the DID, one resolution and one signature of the
 * KMS; verifying takes one resolution and runs natively.
 */
export class DIDJwtPlugin implements IAgentPlugin {
  readonly methods: MethodsInContext<IDIDJwt & IDIDHolding, SigningContext> = {
    didJwtCreate: (args: DIDJwtCreateArgs, context: SigningContext) => didJwtCreate(args, context),
    didJwtVerify: (args: DIDJwtVerifyArgs, context: IAgentContext<IResolver>) => didJwtVerify(args, context),
    didHeldKey: (args: DIDHeldKeyArgs, context: SigningContext) => didHeldKey(args, context),
  }

  readonly schema = pluginSchema({
    didJwtCreate: {
      description: 'Signs a JWT with a key of a DID that the account holds',
      arguments: DIDJwtCreateSchema,
      returns: z.string(),
    },
    didJwtVerify: {
      description: 'Verifies the signature of a JWT against the DID document of its signer',
      arguments: DIDJwtVerifySchema,
      returns: DIDJwtVerifyResultSchema,
    },
    didHeldKey: {
      description: 'Finds the key by which the account holds a DID for an act',
      arguments: DIDHeldKeySchema,
      returns: HeldKeySchema,
    },
  })
}

async function didJwtCreate(args: DIDJwtCreateArgs, context: SigningContext): Promise<string> {
  checkArguments(DIDJwtCreateSchema, args)
  return signJwt(args, context)
}

async function didHeldKey(args: DIDHeldKeyArgs, context: SigningContext): Promise<HeldKey> {
  checkArguments(DIDHeldKeySchema, args)
  const { method, key } = await heldDidKey(args.did, args.act, context, documentSource(context))
  const { kid, kms, type, publicKeyHex } = key
  return { methodId: method.id, key: { kid, kms, type, publicKeyHex } }
}

async function didJwtVerify(
  args: DIDJwtVerifyArgs,
  context: IAgentContext<IResolver>,
): Promise<DIDJwtVerifyResult> {
  checkArguments(DIDJwtVerifySchema, args)
  const { jwt, did, relationship = 'assertionMethod' } = args
  const parsed = parseJwt(jwt)
  const signer = await verifyJwt(parsed, did, relationship, documentSource(context))
  return { header: parsed.header, payload: parsed.payload, signer }
}
