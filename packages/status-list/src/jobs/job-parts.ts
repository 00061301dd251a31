import {
  type ErrorCode,
  type JobPart,
  type NewJobPart,
  type RefusedJobRow,
  type StatusListLocation,
  isAgentError,
  type AgentError,
} from '@vidimus/core-types'

/** A row whose entry is known. */
export interface JobRow {
  line: number
  list: StatusListLocation
  index: number
  action: string
  /** of a credential that was found in the register */
  credentialHash?: string
}

export type RefusedRow = Omit<RefusedJobRow, 'reason'> & { reason: ErrorCode }

/** Rows of one list in one text. */
export interface RowsOfList {
  list: StatusListLocation
  rows: readonly (readonly [line: number, index: number, action: string, credentialHash?: string])[]
}

/** Rows that are held before they are stored, of all lists together; this many refused ones are one part. */
const MOST_HELD = 20_000
/** Refused rows in one part. */
const MOST_REFUSED = 1000

/** @throws errors that are not about the row */
export function refusedRow(line: number, error: unknown): RefusedRow {
  if (!isRefusal(error)) throw error
  const { code: reason, message, details } = error
  return { line, reason, message: details[0]?.message ?? message }
}

/** Gathers rows by their list, and lets them be stored some at a time. */
export class JobPartsByList {
  /** in the order in which they were first named */
  private readonly numbers = new Map<string, number>()
  private held = new Map<number, { list: StatusListLocation; rows: RowsOfList['rows'][number][] }>()
  private size = 0
  private refused: RefusedRow[] = []
  rows = 0
  refusedRows = 0

  /** @returns parts to be stored now, if there are enough */
  add(row: JobRow | RefusedRow): NewJobPart[] {
    this.rows += 1
    if ('reason' in row) {
      this.refusedRows += 1
      this.refused.push(row)
    } else this.hold(row)
    this.size += 1
    return this.size >= MOST_HELD ? this.take() : []
  }

  /** Everything that is held, as parts. */
  take(): NewJobPart[] {
    const parts = [
      ...[...this.held].map(([list, rows]) => ({
        kind: 'rows' as const,
        list,
        content: JSON.stringify(rows),
      })),
      ...refusedParts(this.refused),
    ]
    this.held = new Map()
    this.refused = []
    this.size = 0
    return parts
  }

  private hold({ line, list, index, action, credentialHash }: JobRow): void {
    const number = this.numberOf(list)
    const held = this.held.get(number) ?? { list, rows: [] }
    held.rows.push(
      credentialHash === undefined ? [line, index, action] : [line, index, action, credentialHash],
    )
    this.held.set(number, held)
  }

  private numberOf({ did, statusListName, resourceType }: StatusListLocation): number {
    const name = JSON.stringify([did, statusListName, resourceType])
    const number = this.numbers.get(name) ?? this.numbers.size
    this.numbers.set(name, number)
    return number
  }
}

/** Refused rows, as parts of a bounded size. */
export function refusedParts(refused: readonly RefusedRow[]): NewJobPart[] {
  const parts: NewJobPart[] = []
  for (let from = 0; from < refused.length; from += MOST_REFUSED) {
    const content = JSON.stringify(refused.slice(from, from + MOST_REFUSED))
    parts.push({ kind: 'refused', list: 0, content })
  }
  return parts
}

export const rowsIn = ({ content }: JobPart): RowsOfList => JSON.parse(content) as RowsOfList

export const refusedIn = ({ content }: JobPart): RefusedRow[] => JSON.parse(content) as RefusedRow[]

/** Whether an error refuses what it is about; others are failures of the service, which pass. */
const isRefusal = (error: unknown): error is AgentError => isAgentError(error) && REFUSALS.has(error.code)

const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_input',
  'forbidden',
  'did_not_found',
  'did_not_resolvable',
  'did_deactivated',
  'key_not_found',
  'list_not_found',
  'unknown_list_type',
  'malformed_list',
  'list_encrypted',
  'list_not_encrypted',
  'index_out_of_range',
  'unknown_action',
  'purpose_mismatch',
  'value_too_wide',
  'irreversible',
  'ledger_rule',
  'too_large_for_network',
  'not_registered',
  'invalid_credential',
  'algorithm_not_supported',
])
