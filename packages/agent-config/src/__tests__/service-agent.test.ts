import assert from 'node:assert/strict'
import { ServiceAgent } from '../service-agent.js'

interface Context {
  agent: { availableMethods(): string[]; addOne(args: { to: number }): Promise<number> }
  name?: string
}

describe('the agent of a service', () => {
  const agent = new ServiceAgent({
    context: { name: 'here' },
    plugins: [
      {
        methods: {
          addOne: (args: { to: number }) => Promise.resolve(args.to + 1),
          addTwo: async (args: { to: number }, { agent: whole }: Context) =>
            whole.addOne({ to: await whole.addOne(args) }),
          tellArguments: (args: unknown, { name }: Context) => Promise.resolve({ args, name }),
          tellBigInt: () => Promise.resolve({ size: 2n ** 64n }),
        },
      },
    ],
  })

  it('calls methods of plugins, and lets them call each other', async () => {
    assert.equal(await agent.execute('addTwo', { to: 1 }), 3)
    const methods = agent as unknown as Context['agent']
    assert.equal(await methods.addOne({ to: 1 }), 2)
  })

  it('gives a method its context, and empty arguments where there are none', async () => {
    assert.deepEqual(await agent.execute('tellArguments', undefined), { args: {}, name: 'here' })
  })

  it('does not take results apart', async () => {
    assert.deepEqual(await agent.execute('tellBigInt', {}), { size: 2n ** 64n })
  })

  it('knows no members that every object has', async () => {
    for (const name of ['constructor', 'toString', '__proto__', 'nothing']) {
      await assert.rejects(agent.execute(name, {}), { code: 'internal_error' })
    }
  })
})
