import assert from 'node:assert/strict'
import type { Client } from '@vidimus/client'
import { auditCsv, MOST_EXPORTED, readAudit, type AuditedEvent } from '../../account/audit.js'

const entry = (id: string, others: Partial<AuditedEvent> = {}): AuditedEvent => ({
  id,
  time: '2027-01-31T12:00:00.000Z',
  event: 'key-created',
  outcome: 'done',
  occurrences: 1,
  ...others,
})

describe('the exported audit trail', () => {
  it('has a row for each entry, and no formula for spreadsheets', () => {
    const csv = auditCsv([
      entry('2', { subject: 'a "label", quoted', detail: 'two\nlines' }),
      entry('1', { subject: '=HYPERLINK("https://a.example")', detail: '-1', address: '192.0.2.1' }),
    ])
    assert.equal(
      csv,
      'time,event,outcome,occurrences,apiKeyId,address,requestId,subject,detail,id\r\n' +
        '2027-01-31T12:00:00.000Z,key-created,done,1,,,,"a ""label"", quoted","two\nlines",2\r\n' +
        '2027-01-31T12:00:00.000Z,key-created,done,1,,192.0.2.1,,"\'=HYPERLINK(""https://a.example"")",\'-1,1\r\n',
    )
  })

  it('is read page by page to its end, and says if it is cut', async () => {
    const asked: unknown[] = []
    const pages = (count: number, size: number) =>
      ({
        get: (_path: string, { params: { query } }: { params: { query: { after?: string } } }) => {
          asked.push(query)
          const n = Number(query.after ?? 0)
          const entries = Array.from({ length: size }, (_, k) => entry(`${n} ${k}`))
          return Promise.resolve({ entries, ...(n + 1 < count && { next: String(n + 1) }) })
        },
      }) as unknown as Pick<Client, 'get'>
    const { entries, isWhole } = await readAudit(pages(3, 2), { event: 'key-created' })
    assert.deepEqual([entries.length, isWhole], [6, true])
    assert.deepEqual(asked, [
      { event: 'key-created', limit: 1000 },
      { event: 'key-created', limit: 1000, after: '1' },
      { event: 'key-created', limit: 1000, after: '2' },
    ])
    const cut = await readAudit(pages(1000, 1000), {})
    assert.deepEqual([cut.entries.length, cut.isWhole], [MOST_EXPORTED, false])
  })
})
