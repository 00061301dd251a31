import { hasMethods, type KeyCertificateStore } from '@vidimus/core-types'
import { z } from 'zod'
import { TrustAnchors, type AnchorPlace, type StatusSigners } from './trust-anchors.js'

/** Trusted CA certificates under a name of the operator's choice. */
export interface NamedAnchors extends StatusSigners {
  /** PEM files or folders of them */
  files: string | readonly string[]
  /** as in `anchor:<name>` */
  name: string
}

/** PEM files or folders of them (`.pem`, `.crt`, `.cer`), as a list or comma-separated, each file named after itself. */
export type AnchorPlaces = string | readonly (string | NamedAnchors)[] | null

export interface CertificatesPluginOptions {
  /** trusted CA certificates, reloaded when they change; default: none, and no certificate is accepted */
  trustAnchors?: AnchorPlaces
  /** trust anchors for status lists; default: the anchor of the credential, or any of `trustAnchors` without one */
  statusTrustAnchors?: AnchorPlaces
  /**
   * OID of the extended key usage that a certificate with extended key usages must list to sign status lists; default:
   * no such certificate may
   */
  statusSigningEku?: string | null
  /**
   * OIDs of extended key usages, one of which a certificate with extended key usages must list to sign credentials;
   * default: certificates only for TLS, code signing, e-mail, time stamps or OCSP may not
   */
  credentialSigningEku?: readonly string[] | null
  /**
   * keys in custody may get a chain that leads to no trust anchor, so that whoever may set certificates decides in whose
   * name an account issues; default false
   */
  unanchoredCertificates?: boolean
  /** where the certificates of keys in custody are stored; default: keys have none */
  keys?: KeyCertificateStore
  /** current time; default: the system clock */
  clock?: () => Date
}

const Oid = z.string().regex(/^[0-2](\.\d+)+$/, 'must be an OID, such as 1.3.6.1.5.5.7.3.30')

const Path = z.string().min(1)

const Named = z.strictObject({
  files: z.union([Path, z.array(Path).min(1)]),
  name: z.string().regex(/^[\w.-]+$/, 'must consist of letters, digits, "_", "." and "-"'),
  statusSigningEku: Oid.optional(),
  statusIssuerNames: z.array(z.string().min(1)).min(1).optional(),
})

const places = z
  .union([z.string(), z.array(z.union([Path, Named]))])
  .nullish()
  .transform((value) =>
    (typeof value === 'string' ? value.split(',') : (value ?? [])).flatMap((place): AnchorPlace[] => {
      if (typeof place !== 'string') {
        const { files, ...named } = place
        return [files].flat().map((path) => ({ path, ...named }))
      }
      return place.trim() === '' ? [] : [{ path: place.trim() }]
    }),
  )
  .transform((found, issues) => {
    const anchors = found.length > 0 ? new TrustAnchors(found) : undefined
    for (const message of anchors?.current().problems ?? []) issues.addIssue({ code: 'custom', message })
    return anchors
  })

export const Options = z.strictObject({
  trustAnchors: places,
  statusTrustAnchors: places,
  statusSigningEku: Oid.nullish(),
  credentialSigningEku: z.array(Oid).min(1).nullish(),
  unanchoredCertificates: z.boolean().default(false),
  keys: z
    .custom<KeyCertificateStore>((value) => hasMethods(value, 'find', 'put', 'all'), {
      error: 'must be KeyCertificates of @vidimus/custody',
    })
    .optional(),
  clock: z
    .custom<() => Date>((value) => typeof value === 'function', { error: 'must be a function' })
    .optional(),
})
