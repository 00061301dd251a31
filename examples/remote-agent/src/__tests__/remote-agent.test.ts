import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { loadConfiguration } from '@vidimus/agent-config'
import type { IDIDManager, TAgent } from '@veramo/core-types'
import { Service } from '../../../../test/support/service.js'
import { connectAgent, type ServiceMethods } from '../connect-agent.js'
import { MembershipDesk, type IMembershipDesk } from '../membership-desk.js'

const example = resolve(import.meta.dirname, '../..')

/** Against the real service, which runs in a process of its own. */
describe('a remote agent', () => {
  let service: Service
  let url: string
  let apiKey: string
  let agent: TAgent<ServiceMethods> & IMembershipDesk
  before(async () => {
    service = await Service.start()
    ;({ url } = service)
    apiKey = service.apiKey ?? ''
    agent = await connectAgent<IMembershipDesk>({ url, apiKey, plugins: [new MembershipDesk()] })
  })
  after(() => service.stop())

  it('runs its whole demo in a separate process', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(example, 'src/main.ts')], {
      cwd: resolve(example, '../..'),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, VIDIMUS_URL: url, VIDIMUS_API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    let complained = ''
    child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()))
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 0, complained)
    const told = new Map(
      printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .map((line) => [line.step, line]),
    )
    assert.deepEqual([...told.keys()], ['open', 'issue', 'sign', 'present', 'end', 'refused'])
    assert.match(String(told.get('open')?.did), /^did:cheqd:testnet:/)
    assert.equal(told.get('issue')?.member, true)
    assert.match(String(told.get('sign')?.signature), /^[\w-]{86}$/)
    assert.equal(told.get('present')?.verified, true)
    assert.deepEqual([told.get('end')?.revoked, told.get('end')?.member], [true, false])
    assert.match(String(told.get('end')?.why), /revoked/)
    assert.match(String(told.get('refused')?.error), /credentialStatus\.did: is not a DID of did:cheqd/)
  })

  it('finds an open desk again', async () => {
    const desk = await agent.membershipOpen({ club: 'go-club' })
    assert.deepEqual(await agent.membershipOpen({ club: 'go-club' }), desk)
  })

  it('validates arguments before sending them', async () => {
    await assert.rejects(agent.keyManagerGet({} as { kid: string }), {
      name: 'ValidationError',
      message: /Missing required property: kid/,
    })
  })

  it('passes on errors that only the service can detect', async () => {
    const missing = {
      did: `did:cheqd:testnet:${'0'.repeat(8)}-0000-4000-8000-000000000000`,
      statusListName: 'none',
    }
    await assert.rejects(
      agent.statusListUpdate({
        ...missing,
        listType: 'BitstringStatusList',
        statusAction: 'revoke',
        indices: [1],
      }),
      { message: /is unknown, or the account does not hold it/ },
    )
  })

  it('reports a wrong API key', async () => {
    const stranger = await connectAgent({ url, apiKey: 'vidimus_wrong' })
    await assert.rejects(stranger.didManagerFind({}), { message: /access token is missing or invalid/ })
  })

  it('can also be built from agent.yml', async () => {
    // Inside of the example, so that the packages are found, and where nobody looks for sources.
    await mkdir(join(example, 'build'), { recursive: true })
    const folder = await mkdtemp(join(example, 'build', 'configured-'))
    try {
      const text = await readFile(join(example, 'agent.yml'), 'utf8')
      const file = join(folder, 'agent.yml')
      await writeFile(file, text.replace('http://127.0.0.1:3332', url))
      const configuration = await loadConfiguration(file, { environment: { VIDIMUS_API_KEY: apiKey } })
      const [configured] = (await configuration.build('/agent')) as [TAgent<IDIDManager>]
      const created = await configured.didManagerCreate({ provider: 'did:key' })
      assert.equal((await agent.didManagerGet({ did: created.did })).did, created.did)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
