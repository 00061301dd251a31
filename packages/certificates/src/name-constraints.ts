import type {
  GeneralName,
  GeneralSubtree,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
} from '@peculiar/asn1-x509'
import { x509Schemas } from './asn1.js'
import type { Certificate } from './certificate.js'

const EMAIL_ATTRIBUTE = '1.2.840.113549.1.9.1'

type Form = keyof GeneralName
const FORMS: readonly Form[] = [
  'otherName',
  'rfc822Name',
  'dNSName',
  'x400Address',
  'directoryName',
  'ediPartyName',
  'uniformResourceIdentifier',
  'iPAddress',
  'registeredID',
]

/**
 * Problems with the names of a certificate below one with name constraints.
 *
 * @see RFC 5280 section 4.2.1.10
 */
export function constraintProblem(constraints: NameConstraints, below: Certificate): string | undefined {
  const permitted = [...(constraints.permittedSubtrees ?? [])]
  const excluded = [...(constraints.excludedSubtrees ?? [])]
  for (const name of constrainedNames(below)) {
    const form = nameForm(name)
    if (form === undefined) return 'has a name of an unknown form, but an authority above it constrains names'
    for (const [constrained, said] of formsNaming(name, form)) {
      const allowing = permitted.filter(({ base }) => nameForm(base) === constrained)
      const forbidding = excluded.filter(({ base }) => nameForm(base) === constrained)
      const constraining = [...allowing, ...forbidding]
      if (
        constraining.some((subtree) => !isEvaluated(subtree, constrained)) ||
        (constraining.length > 0 && !hasPlace(said))
      ) {
        return `has a name of the form ${form}, whose constraints are not evaluated here`
      }
      const isPermitted = allowing.length === 0 || allowing.some(({ base }) => isWithin(said, base))
      if (!isPermitted || forbidding.some(({ base }) => isWithin(said, base))) {
        return 'has a name that violates the name constraints of an authority above it'
      }
    }
  }
  return undefined
}

/**
 * A name in each form whose constraints it must obey: an https address and its host both name an issuer, so constraints
 * on one form hold for the other.
 */
function formsNaming(name: GeneralName, form: Form): [Form, GeneralName][] {
  const { GeneralName: General } = x509Schemas()
  const host = uriHost(name)
  if (form === 'uniformResourceIdentifier' && host !== '') {
    return [
      [form, name],
      ['dNSName', new General({ dNSName: host })],
    ]
  }
  if (form !== 'dNSName') return [[form, name]]
  const address = new General({ uniformResourceIdentifier: `https://${name.dNSName}` })
  return [
    [form, name],
    ['uniformResourceIdentifier', address],
  ]
}

/** The subject itself is also a name. */
function constrainedNames({ subject, names }: Certificate): GeneralName[] {
  const schemas = x509Schemas()
  const emails = subject.flatMap((rdn) => [...rdn].filter(({ type }) => type === EMAIL_ATTRIBUTE))
  return [
    ...names,
    ...(subject.length > 0 ? [new schemas.GeneralName({ directoryName: subject })] : []),
    ...emails.map(({ value }) => new schemas.GeneralName({ rfc822Name: String(value) })),
  ]
}

const nameForm = (name: GeneralName): Form | undefined => FORMS.find((form) => name[form] !== undefined)

/** If names of other forms are constrained, certificates below must not have such names. */
const EVALUATED: readonly Form[] = ['dNSName', 'uniformResourceIdentifier', 'directoryName']

const isEvaluated = ({ minimum, maximum }: GeneralSubtree, form: Form): boolean =>
  EVALUATED.includes(form) && Number(minimum) === 0 && maximum === undefined

function isWithin(name: GeneralName, base: GeneralName): boolean {
  if (name.dNSName !== undefined) return isBelow(name.dNSName, base.dNSName ?? '')
  if (name.directoryName) return startsWith(name.directoryName, base.directoryName)
  const host = uriHost(name)
  const constraint = (base.uniformResourceIdentifier ?? '').toLowerCase()
  return constraint.startsWith('.') ? host.endsWith(constraint) : host === constraint
}

/** URIs are constrained by host, which not every URI has. */
const hasPlace = (name: GeneralName): boolean =>
  name.uniformResourceIdentifier === undefined || uriHost(name) !== ''

const uriHost = ({ uniformResourceIdentifier: uri = '' }: GeneralName): string =>
  URL.canParse(uri) ? new URL(uri).hostname : ''

/** The host itself and its subdomains. */
function isBelow(host: string, constraint: string): boolean {
  const [name, tree] = [host.toLowerCase(), constraint.toLowerCase().replace(/^\./, '')]
  return tree === '' || name === tree || name.endsWith(`.${tree}`)
}

function startsWith(name: Name, base: Name | undefined): boolean {
  const [names, bases] = [name, base ?? []].map((rdns) => [...rdns].map(comparable))
  return bases?.every((rdn, n) => rdn === names?.[n]) ?? false
}

/** Comparison ignores case and white space (RFC 5280 section 7.1). */
const comparable = (rdn: RelativeDistinguishedName): string =>
  [...rdn]
    .map(({ type, value }) => `${type}=${String(value).trim().replace(/\s+/g, ' ').toLowerCase()}`)
    .sort()
    .join('+')
