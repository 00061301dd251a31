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
import { didJwtMethods } from '@vidimus/core-types/schemas'
import { parseJwt } from './jwt/jwt-form.js'
import type { MethodsInContext } from './methods-in-context.js'
import { signJwt } from './jwt/sign-jwt.js'
import { verifyJwt } from './jwt/verify-jwt.js'

/**
 * Agent plugin for JWTs signed by DIDs: Ed25519 (`EdDSA`), P-256 (`ES256`) and secp256k1 (`ES256K`). Every JWT names
 * its verification method in `kid`. Signing takes `didHeldKey` and one KMS signature; verification takes one resolution
 * and runs natively.
 */
export class DIDJwtPlugin implements IAgentPlugin {
  readonly methods: MethodsInContext<IDIDJwt, SigningContext> = { didJwtCreate, didJwtVerify }

  readonly schema = pluginSchema(didJwtMethods)
}

async function didJwtCreate(args: DIDJwtCreateArgs, context: SigningContext): Promise<string> {
  return signJwt(checkArguments(didJwtMethods.didJwtCreate.arguments, args), context)
}

async function didJwtVerify(
  args: DIDJwtVerifyArgs,
  context: IAgentContext<IResolver>,
): Promise<DIDJwtVerifyResult> {
  const {
    jwt,
    did,
    relationship = 'assertionMethod',
  } = checkArguments(didJwtMethods.didJwtVerify.arguments, args)
  const parsed = parseJwt(jwt)
  const signer = await verifyJwt(parsed, did, relationship, documentSource(context))
  return { header: parsed.header, payload: parsed.payload, signer }
}
