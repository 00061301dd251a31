import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { CheqdInstallation, CHEQ, PAYER } from './support/cheqd-installation.js'
import { CheqdNode } from './support/cheqd-node/cheqd-node.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { until } from './support/until.js'

const PROGRAM = join(import.meta.dirname, 'support/cheqd-writer.ts')

/** A process that writes, and its output. */
class Writer {
  readonly lines: string[] = []

  private constructor(private readonly child: ChildProcess) {
    let rest = ''
    child.stdout?.on('data', (text: Buffer) => {
      const parts = (rest + text.toString()).split('\n')
      rest = parts.pop() ?? ''
      this.lines.push(...parts)
    })
  }

  static start(url: string, rpc: string): Writer {
    const args = ['--import', 'tsx', PROGRAM, url, rpc]
    return new Writer(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }))
  }

  dids(word: string): string[] {
    return this.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(' ')[1] ?? '')
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await ended
  }

  /** Lets it finish its current work. */
  async finish(): Promise<void> {
    const ended = once(this.child, 'close')
    this.child.stdin?.end()
    await ended
  }
}

for (const place of PLACES) {
  describe(`processes on a cheqd network (${place})`, function () {
    let node: CheqdNode
    let url: string
    before(async () => {
      node = await CheqdNode.start({ blockTime: 20 })
      await node.fund(PAYER, 100_000_000n * CHEQ)
      url = await freshDatabase(place)
    })
    after(() => node.stop())

    const executed = () =>
      new Set(node.chain.messages.filter((sent) => sent.executed).map(({ identity }) => identity))

    it('lose nothing and send nothing twice when one is killed repeatedly', async () => {
      const killed: Writer[] = []
      for (let round = 0; round < 2; round++) {
        const writer = Writer.start(url, node.url)
        await until(() => writer.dids('done').length >= 3 + round)
        // Right after a transaction was taken, and before anybody has seen its block.
        const held = round === 1 ? node.misbehave('holdTransaction') : undefined
        if (held) await until(() => node.pending.length > 0)
        await writer.kill()
        held?.stop()
        killed.push(writer)
      }
      const heir = await CheqdInstallation.open(url, { rpc: node.url })
      await until(async () => (await heir.ledger.report()).waiting === 0)
      for (const writer of killed) {
        for (const did of writer.dids('done')) assert.ok(await heir.ledger.getDidDoc(did), did)
      }
      assert.deepEqual(node.chain.sentTwice, [])
      // Submitted messages are present, even if nobody was left to be notified.
      const handedOver = await heir.database.query<{ state: string }>(
        sql`SELECT "state" FROM "cheqd_message" WHERE "state" <> ${'done'}`,
      )
      assert.deepEqual(handedOver, [])
      await heir.close()
    })

    it('have one sender for all', async () => {
      const writers = [Writer.start(url, node.url), Writer.start(url, node.url)]
      await until(() => writers.every((writer) => writer.dids('done').length >= 8))
      // The other one takes over.
      await writers[0]!.kill()
      const before = writers[1]!.dids('done').length
      await until(() => writers[1]!.dids('done').length >= before + 8)
      await writers[1]!.finish()
      assert.deepEqual(writers[1]!.dids('failed'), [])
      assert.deepEqual(node.chain.sentTwice, [])
      assert.ok(executed().size > 0)
    })
  })
}
