import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { databasePlace } from '../database-url.js'

describe('databasePlace', () => {
  it('reads relative and absolute paths', () => {
    const fileOf = (url: string) => {
      const place = databasePlace(url)
      return place.dialect === 'sqlite' && place.file
    }
    assert.equal(fileOf('sqlite:data/agent.sqlite'), resolve('data/agent.sqlite'))
    assert.equal(fileOf('sqlite:./data/agent.sqlite'), resolve('data/agent.sqlite'))
    assert.equal(fileOf('sqlite:/var/lib/agent.sqlite'), '/var/lib/agent.sqlite')
    assert.equal(fileOf('sqlite:///var/lib/agent.sqlite'), '/var/lib/agent.sqlite')
  })

  it('reads the URLs of PostgreSQL, and shows nothing of them but the place', () => {
    const locations: [string, string][] = [
      ['postgres://db/vidimus', 'postgres://db/vidimus'],
      ['postgresql://root:hunter2@db:5433/vidimus?sslmode=verify-full', 'postgres://db:5433/vidimus'],
      ['postgresql:///vidimus?host=/var/run/postgresql', 'postgres:///var/run/postgresql/vidimus'],
      ['postgres:///vidimus', 'postgres://localhost/vidimus'],
    ]
    for (const [url, location] of locations) {
      assert.deepEqual(databasePlace(url), { dialect: 'postgres', url, location })
    }
  })

  it('refuses everything else without repeating a password', () => {
    const urls = ['', 'agent.sqlite', 'sqlite:', 'sqlite::memory:', 'mysql://root:hunter2@host/db']
    for (const url of [...urls, 'postgres://root:hunter2@ho st:x/db']) {
      assert.throws(
        () => databasePlace(url),
        (error: Error) => error.message.includes('must be') && !error.message.includes('hunter2'),
        url,
      )
    }
  })
})
