import assert from 'node:assert/strict'
import { joinSql, sql } from '../sql.js'

describe('sql', () => {
  it('keeps values separate from the text, in both dialects', () => {
    const statement = sql`SELECT * FROM note WHERE id = ${"'; DROP TABLE note"} AND size > ${3}`
    assert.equal(statement.text('sqlite'), 'SELECT * FROM note WHERE id = ? AND size > ?')
    assert.equal(statement.text('postgres'), 'SELECT * FROM note WHERE id = $1 AND size > $2')
    assert.deepEqual(statement.values, ["'; DROP TABLE note", 3])
  })

  it('inlines nested statements', () => {
    const where = sql`WHERE name = ${'a'}`
    const statement = sql`SELECT ${sql`id`} FROM note ${where} LIMIT ${1}`
    assert.equal(statement.text('postgres'), 'SELECT id FROM note WHERE name = $1 LIMIT $2')
    assert.deepEqual(statement.values, ['a', 1])
  })

  it('joins lists', () => {
    const statement = sql`SELECT id FROM note WHERE id IN (${joinSql(['a', 'b', 'c'])})`
    assert.equal(statement.text('sqlite'), 'SELECT id FROM note WHERE id IN (?, ?, ?)')
    assert.deepEqual(statement.values, ['a', 'b', 'c'])
    assert.equal(joinSql([]).text('sqlite'), '')
    const rows = joinSql([sql`(${1}, ${2})`, sql`(${3}, ${4})`])
    assert.equal(sql`VALUES ${rows}`.text('postgres'), 'VALUES ($1, $2), ($3, $4)')
  })
})
