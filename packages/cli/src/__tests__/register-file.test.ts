import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutFormulaMarks } from '@vidimus/core-types'
import fc from 'fast-check'
import { readRegisterFile, type RegisterRow } from '../register-file.js'

const HEADER = 'credentialId,list,index,issuedAt,expiresAt,signingKey'

describe('a file of issued credentials', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-register-file-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const read = async (text: string) => {
    const file = join(folder, 'issued.csv')
    await writeFile(file, text)
    const batches: RegisterRow[][] = []
    for await (const { rows } of readRegisterFile(file)) batches.push(rows)
    return batches
  }

  it('is read exactly as written, whatever a cell contains, without marks of formulas', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\r', ''))
    const rows = fc.array(fc.tuple(cell, cell, fc.nat()), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = written.map(([id, list, index]) => `${quoted(id)},${quoted(list)},${index}`)
        const found = (await read(`credentialId,list,index\n${lines.join('\n')}\n`)).flat()
        const expected = written.map(([credentialId, list, index]) => ({
          ...(credentialId !== '' && { credentialId: withoutFormulaMarks(credentialId) }),
          ...(list !== '' && { list: withoutFormulaMarks(list) }),
          index,
        }))
        assert.deepEqual(
          found.map(({ credential }) => credential),
          expected,
        )
      }),
      { numRuns: 60 },
    )
  })

  it('accepts columns in any order, omits empty cells and reports the line of each row', async () => {
    const [rows = []] = await read('\ufeffindex,list,credentialId,expiresAt\r\n7,l,a,\r\n\r\nseven,l,b,t\r\n')
    assert.deepEqual(
      rows.map(({ credential }) => credential),
      [
        { index: 7, list: 'l', credentialId: 'a' },
        { index: 'seven', list: 'l', credentialId: 'b', expiresAt: 't' },
      ],
    )
    assert.equal(rows[0]?.line, 2)
  })

  it('refuses only the rows with too few or too many cells', async () => {
    const [rows = []] = await read('credentialId,list,index\na,l\nb,l,1,2\nc,l,3\n')
    assert.deepEqual(
      rows.map(({ problem }) => problem),
      ['must have 3 cells, not 2', 'must have 3 cells, not 4', undefined],
    )
  })

  it('is read in batches of the size that one call registers', async () => {
    const lines = Array.from({ length: 20_001 }, (_, n) => `id-${n},l,${n}`)
    const batches = await read(`credentialId,list,index\n${lines.join('\n')}`)
    assert.deepEqual(
      batches.map((rows) => rows.length),
      [10_000, 10_000, 1],
    )
  })

  it('is refused if malformed', async () => {
    const wrong = {
      'an empty file': ['', /is empty/],
      'no header': ['a,b,c\n', /the first line must name the columns/],
      'an unknown column': [`${HEADER},name\n`, /the first line must name the columns/],
      'a column twice': ['credentialId,list,index,index\n', /the first line must name the columns/],
      'a quote that never ends': ['credentialId,list,index\n"a,l,1\n', /is not CSV/],
      'a row without an end': [`credentialId,list,index\n${'a'.repeat(200_000)}`, /is not CSV/],
    } as const
    for (const [what, [text, sentence]] of Object.entries(wrong)) {
      await assert.rejects(read(text), { code: 'invalid_input', message: sentence }, what)
    }
    await assert.rejects(readRegisterFile(join(folder, 'none.csv')).next(), /ENOENT/)
  })
})
