import assert from 'node:assert/strict'
import { ConfigurationError, formatProblem } from '../configuration-error.js'
import { ConfigurationFolder } from './support/configuration-folder.js'

const SECTIONS = `constants:
  databaseFile: ./data.sqlite
  port: 3332
agent:
  $require: '@veramo/core#Agnt'
  $args:
    - plugins:
        - { $ref: /keyManger }
        - $require: '@veramo/did-managr#DIDManager'
          $arg: []
      apiKey: { $ref: /constants/prot, default: "hunter22" }
keyManager:
  $env: KEY_MANAGER
`

// The place of the file differs, everything else is as the operator sees it.
const GOLDEN = `agent.yml:6:13  agent: "@veramo/core" has no export "Agnt"
    6 |   $require: '@veramo/core#Agnt'
      |             ^
      did you mean "Agent"? it has: ALLOWED_COLUMNS, Agent, CoreEvents, KEY_ALG_MAPPING, PROOF_FORMAT, ValidationError, createAgent, schema
agent.yml:9:19  agent.$args[0].plugins[0]: there is no section "keyManger"
    9 |         - { $ref: /keyManger }
      |                   ^
      did you mean "keyManager"? there are: version, constants, agent, keyManager
agent.yml:10:21  agent.$args[0].plugins[1]: the package "@veramo/did-managr" is not installed
   10 |         - $require: '@veramo/did-managr#DIDManager'
      |                     ^
      did you mean "@veramo/did-manager"? to install it: npm install @veramo/did-managr
agent.yml:11:11  agent.$args[0].plugins[1]: "$arg" is not a keyword
   11 |           $arg: []
      |           ^
      did you mean "$args"? known keywords: $require, $args, $ref, $env, $default
agent.yml:12:23  agent.$args[0].apiKey: there is no "prot" in /constants
   12 |       apiKey: { $ref: /constants/prot, default: *** }
      |                       ^
      did you mean "port"? there are: databaseFile, port
agent.yml:12:40  agent.$args[0].apiKey: "default" cannot be combined with $ref, which replaces the whole map
   12 |       apiKey: { $ref: /constants/prot, default: *** }
      |                                        ^
      remove it, or write the map out without $ref
agent.yml:14:9  keyManager: the environment variable KEY_MANAGER is not set
   14 |   $env: KEY_MANAGER
      |         ^
      set it, set KEY_MANAGER_FILE to the path of a file with the value, or add a default beside it: $default: ...`

describe('message of a ConfigurationError', () => {
  it('lists all problems in file order', async () => {
    const folder = await ConfigurationFolder.create()
    try {
      const configuration = await folder.load(SECTIONS)
      await assert.rejects(configuration.build('/keyManager', '/agent'), (error: unknown) => {
        assert.ok(error instanceof ConfigurationError)
        assert.equal(error.message.replaceAll(`${folder.path}/`, ''), GOLDEN)
        return true
      })
    } finally {
      await folder.remove()
    }
  })

  it('omits missing parts', () => {
    assert.equal(
      formatProblem({ file: 'agent.yml', path: '', message: 'the file does not exist' }),
      'agent.yml  the file does not exist',
    )
    assert.equal(
      formatProblem({
        file: 'agent.yml',
        line: 1,
        column: 2,
        path: 'a.b',
        message: 'is wrong',
        advice: 'mend it',
      }),
      'agent.yml:1:2  a.b: is wrong\n      mend it',
    )
  })

  it('is sorted by line and column', () => {
    const problem = (line: number, column: number) => ({ file: 'f', line, column, path: '', message: 'm' })
    const { problems } = new ConfigurationError([problem(10, 1), problem(2, 9), problem(2, 3)])
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [
        [2, 3],
        [2, 9],
        [10, 1],
      ],
    )
  })
})
