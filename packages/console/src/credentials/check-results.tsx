import { Facts, Table, Time, type Row } from '../parts/pieces.js'

export interface Verification {
  verified: boolean
  issuer?: string
  subject?: string
  holder?: string
  validUntil?: string
  checks: readonly { check: string; ok: boolean; message?: string }[]
  statuses?: readonly Status[]
}

interface Status {
  type?: string
  purpose?: string
  list?: string
  index?: number
  status?: number
  valid?: boolean
  message?: string
  error?: string
}

/** Whether something verifies, and each check with its reason. */
export function CheckResults({ of: result }: { of: Verification }) {
  const { verified, issuer, subject, holder, validUntil, checks, statuses = [] } = result
  return (
    <>
      <p role="status" class={verified ? 'note' : 'note failure'}>
        {verified ? 'Verified.' : 'Does not verify.'}
      </p>
      <Facts
        of={{
          Issuer: issuer,
          Subject: subject,
          Holder: holder,
          'Valid until': validUntil && <Time at={validUntil} />,
        }}
        exact
      />
      <Table caption="Checks" head={['Check', 'Result', 'Reason']} rows={checks.map(checkRow)} />
      {statuses.map((status, n) => (
        <StatusFacts key={n} of={status} />
      ))}
    </>
  )
}

const checkRow = ({ check, ok, message }: Verification['checks'][number]): Row => ({
  key: check,
  cells: [check, ok ? 'passed' : <strong>failed</strong>, message ?? ''],
})

function StatusFacts({ of: { type, purpose, list, index, status, valid, message, error } }: { of: Status }) {
  const state = error === undefined ? `${valid ? 'valid' : 'not valid'} (${status ?? '?'})` : 'unknown'
  return (
    <Facts
      of={{
        'Status entry': purpose ?? type,
        Status: message === undefined || message === 'valid' ? state : `${state}: ${message}`,
        Problem: error,
        Index: index?.toLocaleString('en'),
        List: list && <span class="mono wrap">{list}</span>,
      }}
    />
  )
}
