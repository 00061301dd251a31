import assert from 'node:assert/strict'
import { formatProblem, type LocatedProblem } from '../configuration-error.js'
import { ConfigurationFolder } from './support/configuration-folder.js'

const PARTS = `
export class Plugin { methods = { one: async () => 1, two: async () => 2 }; eventTypes = ['news']; async onEvent() {} }
export class Twice { methods = { two: async () => 2 } }
export class Reserved { methods = { execute: async () => 2 } }
export class Throwing { constructor() { throw new TypeError('no such device') } }
export const around = (_, plugin) => ({ methods: { ...plugin.methods } })
export class Kms { createKey() {} importKey() {} listKeys() {} deleteKey() {} sign() {} sharedSecret() {} }
export class HalfKms { createKey() {} sign() {} }
export class HalfProvider { createIdentifier() {} }
export class HalfStore { importKey() {} }
export class Store { importKey() {} getKey() {} deleteKey() {} listKeys() {} importDID() {} getDID() {} deleteDID() {} listDIDs() {} }
export class Provider { createIdentifier() {} deleteIdentifier() {} addKey() {} removeKey() {} addService() {} removeService() {} }
export const resolver = { acme: async () => undefined, text: 'text' }
`

describe('inspection of a configuration', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create({
      'parts.mjs': PARTS,
      'broken.mjs': `throw new RangeError('too early')`,
      'node_modules/acme-plugin/package.json':
        '{"name":"acme-plugin","version":"3.2.1","type":"module","exports":"./lib/index.js"}',
      'node_modules/acme-plugin/lib/index.js': `export class Acme { methods = { acme: async () => 1 } }`,
    })
  })
  after(() => folder.remove())

  const inspect = async (sections: string) => (await folder.load(sections)).inspect()
  const places = (problems: readonly LocatedProblem[]) =>
    problems.map(({ line, column, message }) => `${line}:${column} ${message}`)

  it('lists the parts of an agent with their versions and lines', async () => {
    const { parts, problems } = await inspect(`store: { $require: './parts.mjs#Store' }
agent:
  $require: '@veramo/core#Agent'
  $args:
    - plugins:
        - $require: './parts.mjs?t=function#around'
          $args: [x, { $require: './parts.mjs#Plugin' }]
        - { $require: 'acme-plugin#Acme' }
        - $require: '@veramo/key-manager#KeyManager'
          $args: [{ store: { $ref: /store }, kms: { local: { $require: './parts.mjs#Kms' } } }]
        - $require: '@veramo/did-manager#DIDManager'
          $args:
            - { store: { $ref: /store }, defaultProvider: x, providers: { 'did:x': { $require: './parts.mjs#Provider' } } }
        - $require: '@veramo/did-resolver#DIDResolverPlugin'
          $args: [{ acme: { $require: './parts.mjs?t=object&p=/acme#resolver' } }]
`)
    assert.deepEqual(problems, [])
    const shown = parts.map(({ role, name, module, member, version, through, line, column, methods }) =>
      [role, name, `${module}#${member}`, version, through, `${line}:${column}`, methods?.slice(0, 2)]
        .filter((part) => part !== undefined)
        .join(' '),
    )
    assert.deepEqual(shown, [
      'key store ./parts.mjs#Store 2:20',
      'DID store ./parts.mjs#Store 2:20',
      'plugin ./parts.mjs#Plugin ./parts.mjs#around 8:34 one,two',
      'plugin acme-plugin#Acme 3.2.1 9:23 acme',
      `plugin @veramo/key-manager#KeyManager 7.0.1 10:21 keyManagerGetKeyManagementSystems,keyManagerCreate`,
      'kms local ./parts.mjs#Kms 11:72',
      'plugin @veramo/did-manager#DIDManager 7.0.1 12:21 didManagerGetProviders,didManagerFind',
      'provider did:x ./parts.mjs#Provider 14:96',
      'plugin @veramo/did-resolver#DIDResolverPlugin 7.0.1 15:21 resolveDid,getDIDComponentById',
      'resolver acme ./parts.mjs#resolver 16:39',
    ])
  })

  it('reports all kinds of errors at once and still lists the rest', async () => {
    const { parts, problems } = await inspect(`store: { $require: './parts.mjs#HalfStore' }
agent:
  $require: '@veramo/core#Agent'
  $args:
    - plugins:
        - { $require: './broken.mjs#Anything' }
        - { $require: './parts.mjs#Throwing' }
        - { $require: './parts.mjs#Plugin' }
        - { $require: './parts.mjs#Twice' }
        - { $require: './parts.mjs#Reserved' }
        - { $require: './parts.mjs#Missing' }
        - { $require: 'not-installed#Plugin' }
        - { $ref: /nowhere }
        - $require: '@veramo/key-manager#KeyManager'
          $args:
            - store: { $ref: /store }
              kms:
                local: { $require: './parts.mjs#HalfKms' }
                other: { $require: './parts.mjs#Throwing' }
                constructor: { $require: './parts.mjs#Kms' }
        - $require: '@veramo/did-manager#DIDManager'
          $args: [{ store: { $ref: /store }, providers: { 'did:x': { $require: './parts.mjs#HalfProvider' } } }]
        - $require: '@veramo/did-resolver#DIDResolverPlugin'
          $args: [{ acme: { $require: './parts.mjs?t=object&p=/text#resolver' } }]
`)
    assert.deepEqual(places(problems), [
      `7:23 "./broken.mjs" cannot be loaded: RangeError: too early`,
      '8:23 "./parts.mjs#Throwing" could not be built: no such device',
      `10:11 "./parts.mjs#Twice" (line 10) has a method that "./parts.mjs#Plugin" (line 9) has too: "two"`,
      `11:11 has a method "execute", which would replace the agent's own`,
      '12:23 "./parts.mjs" has no export "Missing"',
      '13:23 the package "not-installed" is not installed',
      '14:19 there is no section "nowhere"',
      '17:22 is not a store of keys (AbstractKeyStore of @veramo/key-manager): it lacks getKey, deleteKey, listKeys',
      '19:24 is not a key management system (AbstractKeyManagementSystem of @veramo/key-manager): it lacks importKey, listKeys, deleteKey, sharedSecret',
      '20:36 "./parts.mjs#Throwing" could not be built: no such device',
      '21:30 "constructor" is a reserved name; choose another one',
      '23:28 is not a store of DIDs (AbstractDIDStore of @veramo/did-manager): it lacks importDID, getDID, deleteDID, listDIDs',
      '23:68 is not a provider of DIDs (AbstractIdentifierProvider of @veramo/did-manager): it lacks deleteIdentifier, addKey, removeKey, addService, removeService',
      '25:27 is text, not a resolver of did:acme, which is a function',
    ])
    for (const problem of problems) assert.match(formatProblem(problem), /^\S+agent\.yml:\d+:\d+ {2}/)
    assert.deepEqual(
      parts.filter(({ role }) => role === 'plugin').map(({ member }) => member),
      ['Plugin', 'Twice', 'Reserved'],
    )
  })

  it('finds the same errors as building the agent', async () => {
    const sections = `agent:
  $require: '@veramo/key-manager#KeyManager'
  $args: [{ store: { $require: './parts.mjs#Store' }, kms: { local: { $require: './parts.mjs#HalfKms' } } }]
`
    const error = await folder.fail(sections, '/agent')
    assert.match(places(error.problems).join('\n'), /^4:69 is not a key management system/)
  })

  it('leaves the inspected configuration unchanged', async () => {
    const configuration = await folder.load(`agent: { $require: './parts.mjs#Plugin' }\n`)
    const { parts } = await configuration.inspect()
    assert.deepEqual(parts, [])
    assert.deepEqual(configuration.describe(), [])
    const [built] = await configuration.build('/agent')
    assert.ok(built)
    assert.equal(configuration.describe().length, 1)
  })
})
