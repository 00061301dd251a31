export * from './credentials-plugin.js'
export * from './did-jwt-plugin.js'
export { formatArgument, FormatsOption, formatOf, presentationFormats } from './format-of.js'
export { JoseCredentials } from './jose/jose-credentials.js'
export { JwtCredentials } from './jwt/jwt-credentials.js'
export * from './jwt/jwt-form.js'
export * from './jwt/public-keys.js'
export type { MethodsInContext } from './methods-in-context.js'
export { atPath } from './refusal-path.js'
export {
  checks,
  CredentialVerifyResultSchema,
  did,
  statusTerms,
  jsonObject,
  jwtOrJson,
  jwtProof,
  problems,
} from './schemas.js'
export { StatusFees, type FeeTerms } from './status/status-fees.js'
export { invalidity, wholeSeconds } from './validity.js'
export { refusalReasons, VerificationReport } from './verification-report.js'
export { veramoFormat, type VeramoFormatOptions, type VeramoProvider } from './veramo-format.js'
export { verifyCredential, type CredentialVerdict, type Verification } from './verify-credential.js'
