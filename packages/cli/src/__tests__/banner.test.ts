import assert from 'node:assert/strict'
import { banner } from '../banner.js'

const service = {
  version: '1.2.3',
  configurationFile: 'agent.yml',
  database: '/data/agent.sqlite',
  readsOnly: false,
  migrations: [],
  networks: [],
  url: 'http://127.0.0.1:3332',
}

describe('banner', () => {
  it('names the console if it is served', () => {
    assert.match(
      banner({ ...service, consoleUrl: 'http://127.0.0.1:3332/console' }),
      /^ {2}Console {4}http:\/\/127\.0\.0\.1:3332\/console$/m,
    )
    assert.doesNotMatch(banner(service), /Console/)
  })
})
