import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { sqliteFile } from '../database-url.js'

describe('sqliteFile', () => {
  it('reads relative and absolute paths', () => {
    assert.equal(sqliteFile('sqlite:data/agent.sqlite'), resolve('data/agent.sqlite'))
    assert.equal(sqliteFile('sqlite:./data/agent.sqlite'), resolve('data/agent.sqlite'))
    assert.equal(sqliteFile('sqlite:/var/lib/agent.sqlite'), '/var/lib/agent.sqlite')
    assert.equal(sqliteFile('sqlite:///var/lib/agent.sqlite'), '/var/lib/agent.sqlite')
  })

  it('refuses everything else without repeating a password', () => {
    for (const url of ['', 'agent.sqlite', 'sqlite:', 'sqlite::memory:', 'mysql://root:hunter2@host/db']) {
      assert.throws(
        () => sqliteFile(url),
        (error: Error) => error.message.includes('has to be sqlite:') && !error.message.includes('hunter2'),
        url,
      )
    }
  })
})
