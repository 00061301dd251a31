import assert from 'node:assert/strict'
import { isAgentError, markFormulas, withoutFormulaMarks } from '@vidimus/core-types'
import fc from 'fast-check'
import { readJobFile, type FileRow } from '../../jobs/job-file.js'

const FORMS = ['csv', 'ndjson'] as const
const MOST = 100
const LIST = 'did:cheqd:testnet:x?resourceName=a&resourceType=b'

/** The bytes in pieces of a length, as a connection may deliver them. */
async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += length)
    yield await Promise.resolve(bytes.subarray(from, from + length))
}

async function read(bytes: Uint8Array, form: (typeof FORMS)[number], length = 7): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const row of readJobFile(inPieces(bytes, length), form, MOST)) rows.push(row)
  return rows
}

/** The code of a refusal, or the rows. */
const outcome = async (...args: Parameters<typeof read>) =>
  read(...args).catch((error: unknown) => {
    if (!isAgentError(error)) throw error
    return error.code
  })

const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`

describe('file of a mass change', () => {
  it('is read or refused, whatever is in it and however it arrives', async () => {
    const header = fc.constantFrom('', 'credentialId,action\n', 'list,index,action,reason\r\n')
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom(',', '"', '\n', '\r', 'revoke', 'x', '1', '{', '}', ':', '\u0000', 'é'),
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        header,
        body,
        fc.constantFrom(...FORMS),
        fc.integer({ min: 1, max: 50 }),
        async (first, rest, form, length) => {
          const bytes = Buffer.concat([Buffer.from(first), Buffer.from(rest as Uint8Array)])
          const whole = await outcome(bytes, form, bytes.length + 1)
          assert.deepEqual(await outcome(bytes, form, length), whole)
          assert.ok(
            typeof whole !== 'string' || ['malformed_body', 'body_too_large'].includes(whole),
            JSON.stringify(whole),
          )
        },
      ),
    )
  })

  it('keeps every credential id and every line in both forms', async () => {
    const id = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })

    await fc.assert(
      fc.asyncProperty(fc.array(id, { minLength: 1, maxLength: 20 }), async (ids) => {
        const ndjson = ids
          .map((credentialId) => JSON.stringify({ credentialId, action: 'revoke' }))
          .join('\n')
        const rows = await read(Buffer.from(ndjson), 'ndjson')
        assert.deepEqual(
          rows,
          ids.map((credentialId, n) => ({ line: n + 1, row: { credentialId, action: 'revoke' } })),
        )
        const csv = ['credentialId,action', ...ids.map((one) => `${csvCell(one)},revoke`)].join('\n')
        const found = await read(Buffer.from(csv), 'csv')
        assert.deepEqual(
          found.map((one) => ('row' in one ? one.row.credentialId : one.problem)),
          ids.map(withoutFormulaMarks),
        )
      }),
    )
  })

  it('reads ids without the marks that tables of ours put before formulas', async () => {
    const csv = `credentialId,action\n${csvCell(markFormulas('=id;+1'))},revoke\n`
    assert.deepEqual(await read(Buffer.from(csv), 'csv'), [
      { line: 2, row: { credentialId: '=id;+1', action: 'revoke' } },
    ])
  })

  it('takes an index only as a whole number', async () => {
    for (const cell of ['1.5', '-1', '1e3', '0x1', ' 1', '9'.repeat(20)]) {
      const [row] = await read(Buffer.from(`list,index,action\n${LIST},${cell},revoke`), 'csv')
      assert.ok(row && 'problem' in row, cell)
    }
    assert.deepEqual(await read(Buffer.from(`list,index,action\n${LIST},0,revoke`), 'csv'), [
      { line: 2, row: { list: LIST, index: 0, action: 'revoke' } },
    ])
  })

  it('has at most as many rows as configured', async () => {
    const csv = (rows: number) => Buffer.from(`credentialId,action\n${'x,revoke\n'.repeat(rows)}`)
    assert.equal((await read(csv(MOST), 'csv')).length, MOST)
    assert.equal(await outcome(csv(MOST + 1), 'csv'), 'body_too_large')
    assert.equal(await outcome(Buffer.from('{}\n'.repeat(MOST + 1)), 'ndjson'), 'body_too_large')
  })
})
