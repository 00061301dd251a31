import assert from 'node:assert/strict'
import type { IAgentContext, IPluginMethodMap } from '@veramo/core-types'
import { AgentError, IdempotentRun, recordLedgerChange, runInAccountScope } from '../index.js'

describe('a recorded change that a ledger refuses', () => {
  const account = { id: 'a', name: 'a', createdAt: '2026-01-01T00:00:00Z' }
  const change = { kind: 'resource', did: 'did:x:1', versionId: 'v' } as const

  /** @returns what is recorded to have become of it */
  async function recordedAs(code: 'ledger_rule' | 'version_conflict', run?: IdempotentRun) {
    const outcomes: unknown[] = []
    const agent = {
      availableMethods: () => ['ledgerChangeRecord'],
      ledgerChangeRecord: () => Promise.resolve({ id: '1' }),
      ledgerChangeEnd: ({ outcome }: { outcome: string }) => Promise.resolve(outcomes.push(outcome)),
    }
    const context = { agent } as unknown as IAgentContext<IPluginMethodMap>
    const work = async () => {
      const recorded = await recordLedgerChange(context, change)
      await recorded.failed(new AgentError(code, 'no'), () => Promise.resolve({}))
    }
    await runInAccountScope(account, work, run && { run })
    return outcomes
  }

  it('has not happened, though there may be such a version', async () => {
    assert.deepEqual(await recordedAs('ledger_rule'), ['did not happen'])
    assert.deepEqual(await recordedAs('ledger_rule', new IdempotentRun('r')), ['did not happen'])
  })

  it('has happened if another writer, or an earlier run of the request, has made it', async () => {
    assert.deepEqual(await recordedAs('version_conflict'), ['happened'])
    assert.deepEqual(await recordedAs('ledger_rule', new IdempotentRun('r', 'taken-over')), ['happened'])
  })
})
