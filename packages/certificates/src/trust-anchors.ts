import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { log } from '@vidimus/core-types'
import { certificatesInPem } from './certificate-chain.js'
import { readCertificate, type Certificate } from './certificate.js'
import { CertificateRefusal } from './refusal.js'

const CERTIFICATE_FILE = /\.(pem|crt|cer)$/i

/** Who else may sign status lists for the issuers below an anchor. */
export interface StatusSigners {
  /** OID of the extended key usage of certificates that may; goes before that of the plugin */
  statusSigningEku?: string | undefined
  /** subjects of certificates that may (RFC 4514) */
  statusIssuerNames?: readonly string[] | undefined
}

/** A file, or a folder of them. */
export interface AnchorPlace extends StatusSigners {
  path: string
  /** of the anchors in it; absent: each file is named after itself, without its ending */
  name?: string
}

/** A certificate that is trusted. Several may have one name. */
export interface TrustAnchor extends Certificate, StatusSigners {
  name: string
}

/** The content of the files. */
export interface ReadAnchors {
  anchors: readonly TrustAnchor[]
  /** unreadable files and files without a CA certificate: nothing in them is trusted */
  problems: readonly string[]
}

/** Trust anchors from PEM files and folders, reloaded when any of them changes. */
export class TrustAnchors {
  #stamp: string | undefined
  #read: ReadAnchors = { anchors: [], problems: [] }

  constructor(private readonly places: readonly AnchorPlace[]) {}

  /** The current anchors. Costs one file system call per file. */
  current(): ReadAnchors {
    const files = this.places.flatMap(filesAt)
    const stamp = JSON.stringify(files)
    if (stamp === this.#stamp) return this.#read
    const read = files.map(readFile)
    const anchors = read.flatMap((file) => ('anchors' in file ? file.anchors : []))
    const problems = read.flatMap((file) => ('problem' in file ? [file.problem] : []))
    for (const problem of problems) log('warn', 'trust anchors cannot be read', { problem })
    this.#stamp = stamp
    this.#read = { anchors, problems }
    return this.#read
  }
}

/** Identifies the state of a file: any change to the file changes it. */
type SeenFile = AnchorPlace & ({ changedMs: number; size: number } | { problem: string })

function filesAt(place: AnchorPlace): SeenFile[] {
  const { path } = place
  try {
    if (!statSync(path).isDirectory()) return [seen(place)]
    const names = readdirSync(path).filter((name) => CERTIFICATE_FILE.test(name))
    return names.sort().map((name) => seen({ ...place, path: join(path, name) }))
  } catch (error) {
    return [{ path, problem: readFailure(error) }]
  }
}

function seen(file: AnchorPlace): SeenFile {
  const { ctimeMs, size } = statSync(file.path)
  return { ...file, changedMs: ctimeMs, size }
}

function readFile(file: SeenFile): { anchors: TrustAnchor[] } | { problem: string } {
  const { path, name = basename(path, extname(path)), statusSigningEku, statusIssuerNames } = file
  if ('problem' in file) return { problem: `${path}: ${file.problem}` }
  try {
    const anchors = certificatesInPem(readFileSync(path, 'latin1')).map((base64) => ({
      ...readCertificate(Buffer.from(base64, 'base64')),
      name,
      statusSigningEku,
      statusIssuerNames,
    }))
    if (anchors.length === 0) return { problem: `${path}: it contains no PEM certificate` }
    const isOther = anchors.some(({ isAuthority }) => !isAuthority)
    return isOther
      ? { problem: `${path}: it contains a certificate that is not a CA certificate` }
      : { anchors }
  } catch (error) {
    return { problem: `${path}: ${readFailure(error)}` }
  }
}

function readFailure(error: unknown): string {
  if (error instanceof CertificateRefusal) return `one of its certificates ${error.message}`
  return error instanceof Error && 'code' in error
    ? `it cannot be read (${String(error.code)})`
    : 'it cannot be read'
}
