import assert from 'node:assert/strict'
import type { DIDResolutionResult } from '@veramo/core-types'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { BOUNDS } from '@vidimus/core-types'
import { ServiceAgent } from '../service-agent.js'

interface Context {
  agent: { availableMethods(): string[]; addOne(args: { to: number }): Promise<number> }
  name?: string
}

describe('the agent of a service', () => {
  const asked: string[] = []
  const agent = new ServiceAgent({
    context: { name: 'here' },
    plugins: [
      {
        methods: {
          addOne: (args: { to: number }) => Promise.resolve(args.to + 1),
          addTwo: async (args: { to: number }, { agent: whole }: Context) =>
            whole.addOne({ to: await whole.addOne(args) }),
          tellArguments: (args: unknown, { name }: Context) => Promise.resolve({ args, name }),
          resolveDid: ({ didUrl }: { didUrl: string }) => {
            asked.push(didUrl)
            return Promise.resolve({ didDocument: { id: didUrl } })
          },
          tellBigInt: () => Promise.resolve({ size: 2n ** 64n }),
          failAtOnce: () => {
            throw new Error('at once')
          },
          tellAtOnce: () => 1 as unknown as Promise<number>,
        },
      },
    ],
  })

  it('calls methods of plugins and lets them call each other', async () => {
    assert.equal(await agent.execute('addTwo', { to: 1 }), 3)
    const methods = agent as unknown as Context['agent']
    assert.equal(await methods.addOne({ to: 1 }), 2)
  })

  it('passes a method its context, and empty arguments if there are none', async () => {
    assert.deepEqual(await agent.execute('tellArguments', undefined), { args: {}, name: 'here' })
  })

  it('leaves results intact', async () => {
    assert.deepEqual(await agent.execute('tellBigInt', {}), { size: 2n ** 64n })
  })

  it('answers with a promise, whatever a method returns or throws', async () => {
    const methods = agent as unknown as Record<'failAtOnce' | 'tellAtOnce', () => Promise<unknown>>
    await assert.rejects(methods.failAtOnce(), /at once/)
    await assert.rejects(agent.execute('failAtOnce', {}), /at once/)
    assert.equal(await methods.tellAtOnce().then((told) => told), 1)
  })

  it('never passes an overlong DID to a resolver', async () => {
    const did = `did:key:z${'2'.repeat(BOUNDS.did - 9)}`
    const possible = [did, `${did}#${'x'.repeat(BOUNDS.did - 1)}`]
    for (const didUrl of possible) await agent.execute('resolveDid', { didUrl })
    assert.deepEqual(asked.splice(0), possible)
    for (const didUrl of [
      `${did}2`,
      `${did}2#x`,
      `${did}?${'x'.repeat(BOUNDS.did)}`,
      'x'.repeat(1_000_000),
    ]) {
      const whole = agent as unknown as {
        resolveDid(args: object): Promise<{ didResolutionMetadata: object }>
      }
      const { didResolutionMetadata } = await whole.resolveDid({ didUrl })
      assert.match(JSON.stringify(didResolutionMetadata), /invalidDid.*characters/)
    }
    assert.deepEqual(asked, [])
  })

  it('resolves no DID whose method is an inherited property', async () => {
    const resolving = new ServiceAgent({
      plugins: [new DIDResolverPlugin({ test: () => assert.fail('asked') })],
    })
    for (const method of ['constructor', 'valueof']) {
      const resolved = await resolving.execute<unknown, DIDResolutionResult>('resolveDid', {
        didUrl: `did:${method}:x`,
      })
      assert.equal(resolved.didDocument, null)
      assert.equal(resolved.didResolutionMetadata.error, 'unsupportedDidMethod')
    }
  })

  it('ignores inherited properties', async () => {
    for (const name of ['constructor', 'toString', '__proto__', 'nothing']) {
      await assert.rejects(agent.execute(name, {}), { code: 'internal_error' })
    }
  })
})
