import { createInterface } from 'node:readline'
import { LedgerError } from '@vidimus/ledger'
import { CheqdInstallation, Subject } from './cheqd-installation.js'

/**
 * A process of an installation for tests: makes DIDs with resources, several at a time, until it is killed. Prints what
 * was handed over for certain, one line each.
 */
const [url = '', rpc = '', width = '4'] = process.argv.slice(2)
const { ledger, close } = await open()

async function open() {
  const installation = await CheqdInstallation.open(url, { rpc, outbox: { timeoutBlocks: 20 } })
  return { ledger: installation.ledger, close: () => installation.close() }
}

let stopping = false

async function write(): Promise<void> {
  while (!stopping) {
    const subject = new Subject()
    process.stdout.write(`begun ${subject.did}\n`)
    try {
      await ledger.submit(subject.create())
      const { resource } = await ledger.submit(subject.publish(), { expectedPrevious: null })
      process.stdout.write(`done ${subject.did} ${resource?.id}\n`)
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      process.stdout.write(`failed ${subject.did} ${error.phase}\n`)
    }
  }
}

createInterface(process.stdin).on('close', () => (stopping = true))
await Promise.all(Array.from({ length: Number(width) }, write))
await close()
process.exit(0)
