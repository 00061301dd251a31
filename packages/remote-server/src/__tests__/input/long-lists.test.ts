import assert from 'node:assert/strict'
import { z } from 'zod'
import { fieldKinds } from '../../input/field-kind.js'
import { cutLongLists } from '../../input/long-lists.js'

const list = <T>(length: number, entry: (n: number) => T) => Array.from({ length }, (_, n) => entry(n))

describe('cutLongLists', () => {
  let looks = 0
  const schema = z.strictObject({
    numbers: z.array(z.int()).optional(),
    few: z.array(z.string().refine(() => (looks += 1))).max(500),
    none: z.array(z.unknown()).max(0, 'is added by the service').optional(),
    inner: z.strictObject({ few: z.array(z.string()).max(2) }).optional(),
    rows: z.array(z.strictObject({ few: z.array(z.string()).max(2) })).optional(),
    choice: z.union([z.string(), z.array(z.string()).max(3)]).optional(),
  })
  const cut = (fields: Record<string, unknown>) => cutLongLists(fields, fieldKinds(schema.shape))
  beforeEach(() => (looks = 0))

  it('returns valid input unchanged', () => {
    const fields = { numbers: list(5000, (n) => n), few: ['a'], inner: { few: ['a', 'b'] }, choice: 'x' }
    assert.deepEqual(cut(fields), { fields, problems: [] })
    assert.equal(cut(fields).fields, fields)
  })

  it('validates no entry of a list that is too long', () => {
    const { fields, problems } = cut({ few: list(501, () => 'a') })
    assert.equal(looks, 0)
    assert.deepEqual(fields, { few: ['a'] })
    assert.deepEqual(problems, [{ path: 'few', message: 'must have at most 500 entries' }])
  })

  it('finds long lists at any depth', () => {
    const long = ['a', 'b', 'c', 'd']
    const { fields, problems } = cut({
      inner: { few: long },
      rows: [{ few: [] }, { few: long }],
      choice: long,
    })
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['inner.few', 'rows[1].few', 'choice'],
    )
    assert.deepEqual(fields, { inner: { few: ['a'] }, rows: [{ few: [] }, { few: ['a'] }], choice: ['a'] })
  })

  it('cuts a long list after the twentieth invalid entry', () => {
    const { fields, problems } = cut({ numbers: list(5000, (n) => (n % 10 === 9 ? 'x' : n)) })
    assert.equal((fields.numbers as unknown[]).length, 200)
    assert.deepEqual(problems, [])
  })

  it('leaves it to the schema to explain why a list must be empty', () => {
    assert.deepEqual(cut({ none: [1, 2] }), { fields: { none: [1, 2] }, problems: [] })
  })
})
