import { useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Failure, Section } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { Reasons } from '../parts/action-button.js'
import { useSession, useWhyNot } from '../session.js'
import { handedOut, readObject } from './written-credential.js'

/** The fields of the form; all others can be sent as JSON. */
interface Fields {
  issuerDid: string
  subjectDid: string
  format: string
  attributes: string
  validUntil: string
  statusListName: string
  statusPurpose: string
}

const EMPTY: Fields = {
  issuerDid: '',
  subjectDid: '',
  format: '',
  attributes: '{\n  "name": "Bob"\n}',
  validUntil: '',
  statusListName: '',
  statusPurpose: '',
}

/** Issues a credential, from a form or from the JSON of the request. @param onIssued - with what its holder gets */
export function IssueCredential({ onIssued }: { onIssued: (text: string) => void }) {
  const { client, announce } = useSession()
  const whyNot = useWhyNot()('credential-issue')
  const [fields, setFields] = useState(EMPTY)
  const [json, setJson] = useState<string>()
  const { run, busy, error, clear } = useAction(async () => {
    const body = json === undefined ? requestOf(fields) : readObject(json)
    if (!body) throw new Error('The request is not valid JSON.')
    const issued = await client.post('/credential/issue', { body: body as unknown as Issue })
    onIssued(handedOut(issued))
    announce('The credential was issued.')
  })
  const switchForm = () => {
    clear()
    setJson(json === undefined ? JSON.stringify(requestOf(fields) ?? {}, null, 2) : undefined)
  }
  const off = busy || whyNot !== undefined
  return (
    <Section
      title="Issue a credential"
      actions={
        <button type="button" onClick={switchForm}>
          {json === undefined ? 'Edit as JSON' : 'Back to the form'}
        </button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!off) run()
        }}
      >
        {json === undefined ? (
          <IssueFields fields={fields} onChange={(name, value) => setFields({ ...fields, [name]: value })} />
        ) : (
          <FormField
            label="Request"
            value={json}
            onChange={setJson}
            rows={14}
            required
            hint="The body of `POST /credential/issue`, with all of its members"
          />
        )}
        <Failure text={error} />
        <Reasons of={[whyNot]} />
        <button type="submit" aria-disabled={off} title={whyNot}>
          {busy ? 'Working …' : 'Issue'}
        </button>
      </form>
    </Section>
  )
}

/** What every request has; the service judges the rest. */
interface Issue {
  issuerDid: string
  attributes: Record<string, unknown>
}

function IssueFields({
  fields,
  onChange,
}: {
  fields: Fields
  onChange: (name: keyof Fields, value: string) => void
}) {
  const of = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (value: string) => onChange(name, value),
  })
  return (
    <>
      <FormField
        label="Issuer"
        {...of('issuerDid')}
        required
        placeholder="did:…"
        hint="A DID of this account"
      />
      <FormField label="Subject" {...of('subjectDid')} placeholder="did:…" hint="Optional" />
      <FormField label="Claims (JSON)" {...of('attributes')} rows={4} required />
      <FormField
        label="Valid until"
        {...of('validUntil')}
        placeholder="2030-01-31T00:00:00Z"
        hint="Optional; a time or a date"
      />
      <FormField
        label="Status list"
        {...of('statusListName')}
        placeholder="staff-revocation, staff-suspension"
        hint="Optional: the names of status lists or series of the issuer, so that the credential can be revoked"
      />
      <FormField
        label="Status purpose"
        {...of('statusPurpose')}
        placeholder="revocation, suspension"
        hint="Only if the list has several: one of them, or more, separated by commas"
      />
      <FormField
        label="Format"
        {...of('format')}
        placeholder="jwt_vc"
        hint="Optional: one of the formats of this service, such as `jwt_vc`, `vc+jwt` or `ldp_vc`"
      />
    </>
  )
}

/** @returns `undefined` if the claims are not a JSON object */
function requestOf(fields: Fields): Record<string, unknown> | undefined {
  const attributes = readObject(fields.attributes)
  if (!attributes) return undefined
  const { issuerDid, subjectDid, format, validUntil, statusListName } = fields
  const optional = { subjectDid, format, validUntil }
  const given = Object.entries(optional).flatMap(([name, value]) =>
    value.trim() === '' ? [] : [[name, value.trim()] as const],
  )
  const purposes = fields.statusPurpose.split(',').flatMap((one) => one.trim() || [])
  const entries = statusListName.split(',').flatMap((one) => {
    const name = one.trim()
    return name === ''
      ? []
      : [{ statusListName: name, ...(purposes.length > 0 && { statusPurpose: purposes }) }]
  })
  const [only, ...others] = entries
  const credentialStatus = others.length > 0 ? entries : only
  return {
    issuerDid: issuerDid.trim(),
    ...Object.fromEntries(given),
    attributes,
    ...(credentialStatus && { credentialStatus }),
  }
}
