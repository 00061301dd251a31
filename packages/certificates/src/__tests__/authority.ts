import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from '@peculiar/asn1-x509'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const DAY_MS = 86_400_000

export interface IssueOptions {
  /** SPKI in DER; default: that of a new key */
  publicKey?: Buffer
  names?: GeneralName[]
  isAuthority?: boolean
  pathLength?: number
  usages?: KeyUsageFlags
  extendedUsages?: string[]
  permitted?: GeneralName[]
  excluded?: GeneralName[]
  notBefore?: Date
  notAfter?: Date
  /** besides those above */
  extensions?: Extension[]
  /** its digest; default: SHA-256 */
  weak?: boolean
}

export const dns = (host: string) => new GeneralName({ dNSName: host })
export const uri = (address: string) => new GeneralName({ uniformResourceIdentifier: address })
export const directory = (common: string) => new GeneralName({ directoryName: nameOf(common) })

export const pemOf = (...certificates: readonly Buffer[]): string =>
  certificates
    .map((der) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`)
    .join('')

export const x5cOf = (...certificates: readonly Buffer[]): string[] =>
  certificates.map((der) => der.toString('base64'))

/** A party with a key and its certificate, which may issue others. */
export class Party {
  private constructor(
    readonly name: string,
    readonly der: Buffer,
    readonly privateKey: KeyObject,
  ) {}

  /** A root: an authority that has signed itself. */
  static root(name: string, options: IssueOptions = {}): Party {
    const { privateKey, publicKey } = newKeys()
    const der = signed(name, name, privateKey, { isAuthority: true, publicKey, ...options })
    return new Party(name, der, privateKey)
  }

  /** Issues a certificate for a party with its own key. */
  issue(name: string, options: IssueOptions = {}): Party {
    const { privateKey, publicKey } = newKeys()
    return new Party(name, this.certify(name, { publicKey, ...options }), privateKey)
  }

  /** Issues a certificate for a key that is somewhere else. */
  certify(name: string, options: IssueOptions & { publicKey: Buffer }): Buffer {
    return signed(name, this.name, this.privateKey, options)
  }
}

/** In DER, as no key that was just made may be exported as a JWK. */
function newKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return { publicKey, privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }) }
}

const nameOf = (common: string): Name =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new AttributeValue({ utf8String: common }) }),
    ]),
  ])

function signed(
  subject: string,
  issuer: string,
  key: KeyObject,
  options: IssueOptions & { publicKey: Buffer },
): Buffer {
  const { publicKey, weak = false, notBefore, notAfter } = options
  const algorithm = new AlgorithmIdentifier({ algorithm: weak ? '1.2.840.10045.4.1' : ECDSA_WITH_SHA256 })
  const tbsCertificate = new TBSCertificate({
    version: 2,
    serialNumber: new Uint8Array([1, ...Buffer.from(String(Math.random()))]).buffer,
    signature: algorithm,
    issuer: nameOf(issuer),
    validity: new Validity({
      notBefore: notBefore ?? new Date(Date.now() - DAY_MS),
      notAfter: notAfter ?? new Date(Date.now() + 30 * DAY_MS),
    }),
    subject: nameOf(subject),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions(extensionsOf(options)),
  })
  const bytes = Buffer.from(AsnConvert.serialize(tbsCertificate))
  const signature = sign(weak ? 'sha1' : 'sha256', bytes, key)
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  })
  return Buffer.from(AsnConvert.serialize(certificate))
}

export const extension = (extnID: string, value: object, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

function extensionsOf(options: IssueOptions): Extension[] {
  const { isAuthority = false, pathLength, extendedUsages, names, permitted, excluded } = options
  const usages = options.usages ?? (isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature)
  const basic = new BasicConstraints({
    cA: isAuthority,
    ...(pathLength !== undefined && { pathLenConstraint: pathLength }),
  })
  const trees = (bases: GeneralName[]) =>
    new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base })))
  const constraints = new NameConstraints({
    ...(permitted && { permittedSubtrees: trees(permitted) }),
    ...(excluded && { excludedSubtrees: trees(excluded) }),
  })
  return [
    extension(id_ce_basicConstraints, basic, true),
    extension(id_ce_keyUsage, new KeyUsage(usages), true),
    ...(extendedUsages ? [extension(id_ce_extKeyUsage, new ExtendedKeyUsage(extendedUsages))] : []),
    ...(names ? [extension(id_ce_subjectAltName, new SubjectAlternativeName(names))] : []),
    ...(permitted || excluded ? [extension(id_ce_nameConstraints, constraints, true)] : []),
    ...(options.extensions ?? []),
  ]
}
