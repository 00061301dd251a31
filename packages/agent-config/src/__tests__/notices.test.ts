import assert from 'node:assert/strict'
import { ConfigurationFolder } from './support/configuration-folder.js'

describe('notices for the operator', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create()
  })
  after(() => folder.remove())

  const notices = async (sections: string, ...pointers: string[]) => {
    const configuration = await folder.load(sections)
    await configuration.build(...pointers)
    return configuration.notices.map((notice) => notice.replace(`${folder.path}/`, ''))
  }

  it('name the built-in Veramo stores and their replacements', async () => {
    const sections = `stores:
  - $require: '@veramo/data-store#KeyStore'
    $args: [{}]
  - $require: '@veramo/data-store#DIDStore'
  - $require: '@veramo/data-store?t=object#Entities'
`
    const found = await notices(sections, '/stores')
    assert.equal(found.length, 2)
    assert.match(
      found[0] ?? '',
      /^agent\.yml:3: "@veramo\/data-store#KeyStore" .*AccountKeyStore" here instead$/,
    )
    assert.match(found[1] ?? '', /^agent\.yml:5: .*AccountDIDStore/)
  })

  it('name unused sections', async () => {
    const sections = `a: { $ref: /constants/x }
constants: { x: 1, y: 2 }
keyManger: 1
x-anchors: [1]
server: 1
`
    assert.deepEqual(await notices(sections, '/a'), [
      'agent.yml:4: the section "keyManger" is unused; check its name',
    ])
  })

  it('count the target of an alias as used', async () => {
    assert.deepEqual(await notices('shared: [&s 1]\na: *s\n', '/a'), [])
  })

  it('are empty before anything is built', async () => {
    assert.deepEqual((await folder.load('a: 1')).notices, [])
  })
})
