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

  it('reads PostgreSQL URLs and shows only their host and database', () => {
    const locations: [string, string][] = [
      ['postgres://db/vidimus', 'postgres://db/vidimus'],
      ['postgresql://root:hunter2@db:5433/vidimus?sslmode=verify-full', 'postgres://db:5433/vidimus'],
      ['postgresql:///vidimus?host=/var/run/postgresql', 'postgres:///var/run/postgresql/vidimus'],
      ['postgres:///vidimus', 'postgres://localhost/vidimus'],
    ]
    for (const [url, location] of locations) {
      const address = { servers: [url], session: 'any', location }
      assert.deepEqual(databasePlace(url), { dialect: 'postgres', address })
    }
  })

  it('reads several hosts, and which of them to use', () => {
    for (const [parameters, rest, session] of [
      ['?target_session_attrs=read-write', '', 'read-write'],
      ['?sslmode=require&target_session_attrs=standby', '?sslmode=require', 'standby'],
      ['?target_session_attrs=any&sslmode=require', '?sslmode=require', 'any'],
      ['', '', 'any'],
    ]) {
      const place = databasePlace(`postgres://me:secret@a:1,[::1]:2,c/db${parameters}`)
      assert.deepEqual(place.dialect === 'postgres' && place.address, {
        servers: ['a:1', '[::1]:2', 'c'].map((host) => `postgres://me:secret@${host}/db${rest}`),
        session,
        location: 'postgres://a:1,[::1]:2,c/db',
      })
    }
  })

  it('refuses unsupported parameters by name', () => {
    for (const [parameters, says] of [
      ['?statement_timeout=1&sslmode=require', /has an unknown parameter "statement_timeout"; known are /],
      ['?connect_timeout=1&service=x', /has unknown parameters "connect_timeout", "service"; known are /],
      [
        '?target_session_attrs=primary,standby',
        /target_session_attrs must be one of any, read-write, read-only/,
      ],
      [',,b/db', /it is not a URL/],
    ] as const) {
      const url = `postgres://me:hunter2@a${parameters.startsWith('?') ? '/db' : ''}${parameters}`
      assert.throws(
        () => databasePlace(url),
        (error: Error) => says.test(error.message) && !error.message.includes('hunter2'),
      )
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
