import { documentSource } from '@vidimus/verification-methods'
import type { IAgentContext, IAgentPlugin, IResolver } from '@veramo/core-types'
import {
  checkArguments,
  pluginSchema,
  type DIDJwtCreateArgs,
  type DIDJwtVerifyArgs,
  type DIDJwtVerifyResult,
  type IDIDJwt,
  type SigningContext,
} from '@vidimus/core-types'
import { z } from 'zod'
import { parseJwt } from './jwt/jwt-form.js'
import type { MethodsInContext } from './methods-in-context.js'
import { DIDJwtCreateSchema, DIDJwtVerifyResultSchema, DIDJwtVerifySchema } from './schemas.js'
import { signJwt } from './jwt/sign-jwt.js'
import { verifyJwt } from './jwt/verify-jwt.js'

/**
 * Agent plugin for JWTs that DIDs sign: Ed25519 (`EdDSA`), P-256 (`ES256`) and secp256k1 (`ES256K`). Every JWT names
 * its verification method in `kid`. Signing takes `didHeldKey` and one signature of the KMS; verifying takes one resolution and runs natively.
 */
export class DIDJwtPlugin implements IAgentPlugin {
  readonly methods: MethodsInContext<IDIDJwt, SigningContext> = {
    didJwtCreate: (args: DIDJwtCreateArgs, context: SigningContext) => didJwtCreate(args, context),
    didJwtVerify: (args: DIDJwtVerifyArgs, context: IAgentContext<IResolver>) => didJwtVerify(args, context),
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
  })
}

async function didJwtCreate(args: DIDJwtCreateArgs, context: SigningContext): Promise<string> {
  return signJwt(checkArguments(DIDJwtCreateSchema, args), context)
}

async function didJwtVerify(
  args: DIDJwtVerifyArgs,
  context: IAgentContext<IResolver>,
): Promise<DIDJwtVerifyResult> {
  const { jwt, did, relationship = 'assertionMethod' } = checkArguments(DIDJwtVerifySchema, args)
  const parsed = parseJwt(jwt)
  const signer = await verifyJwt(parsed, did, relationship, documentSource(context))
  return { header: parsed.header, payload: parsed.payload, signer }
}
