import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { answerTable, csvLine, wantsTable } from '../../answers/table-answers.js'
import { BaseHeaders } from '../../answers/base-headers.js'
import type { OperationTable, RunArgs } from '../../operation.js'
import { auditTable } from '../../operations/audit-table.js'

type Input = Omit<RunArgs<unknown, unknown, unknown>, 'body' | 'params'>

const account = { id: 'a', name: 'acme', createdAt: '2027-01-31T12:00:00.000Z' }

describe('tables', () => {
  it('are sent to those who ask for them', () => {
    const wants = (accept: string, method = 'GET') => wantsTable({ method, headers: { accept } })
    assert.ok(wants('text/csv'))
    assert.ok(wants('application/json;q=0.5, text/csv;q=1'))
    assert.ok(!wants('text/csv-schema'))
    assert.ok(!wants('*/*'))
    assert.ok(!wants('text/csv', 'POST'))
  })

  it('quote what must be quoted, and have no formulas', () => {
    const cells = [
      'a "label", quoted',
      'two\nlines',
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      'a;=cmd()',
      undefined,
      7,
    ]
    assert.equal(
      csvLine(cells),
      '"a ""label"", quoted","two\nlines",\'=1+1,\'+1,\'-1,\'@SUM(A1),\'\t\'=1,"\'\r\'=1",a;\'=cmd(),,7\r\n',
    )
  })

  const sent = async (rows: OperationTable['rows']) => {
    const table = { fileName: 'x.csv', columns: ['n'], example: '', rows }
    const server = createServer((_req, bare) => {
      const life = { isOver: false, gone: new AbortController().signal }
      const res = Object.assign(bare, { locals: { requestId: 'r1', life } })
      answerTable(res, table, { account } as Input, new BaseHeaders()).catch(() => res.writeHead(503).end())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      return { status: answer.status, text: await answer.text() }
    } finally {
      server.close()
    }
  }

  it('are written while they are read', async () => {
    async function* rows() {
      yield [['1'], ['2']]
      yield await Promise.resolve([])
      yield [['3']]
    }
    assert.deepEqual(await sent(rows), { status: 200, text: 'n\r\n1\r\n2\r\n3\r\n' })
  })

  it('are refused if nothing can be read, and break off if something later cannot', async () => {
    // eslint-disable-next-line require-yield
    async function* never(): AsyncGenerator<string[][]> {
      await Promise.reject(new Error('the database is gone'))
    }
    async function* half() {
      yield [['1']]
      await Promise.reject(new Error('the database is gone'))
    }
    assert.equal((await sent(never)).status, 503)
    await assert.rejects(sent(half), TypeError)
  })

  it('of the audit trail are read page by page, up to a limit', async () => {
    const asked: unknown[] = []
    const agent = (pages: number, size: number) => ({
      accountAuditList: (query: { after?: string; limit: number }) => {
        asked.push(query)
        const n = Number(query.after ?? 0)
        const entries = Array.from({ length: Math.min(size, query.limit) }, (_, k) => ({ id: `${n}.${k}` }))
        return Promise.resolve({ entries, ...(n + 1 < pages && { next: String(n + 1) }) })
      },
    })
    const schema = z.looseObject({ after: z.string().optional() })
    const read = async (pages: number, size: number) => {
      const input = { query: { event: 'key-created' }, agent: agent(pages, size), account }
      let rows = 0
      for await (const part of auditTable(schema).rows(input as unknown as Input)) rows += part.length
      return rows
    }
    assert.equal(await read(3, 2), 6)
    assert.deepEqual(asked, [
      { event: 'key-created', limit: 1000 },
      { event: 'key-created', limit: 1000, after: '1' },
      { event: 'key-created', limit: 1000, after: '2' },
    ])
    assert.equal(await read(1000, 1000), 100_000)
  })
})
