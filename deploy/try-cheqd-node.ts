// npm run try:cheqd-node: runs the behavioural suite on a cheqd network that there is: a local one, or the testnet. It writes
// for good, and pays. What that costs is counted first, on a double of the network and at the network's own prices, and told.
//
// CHEQD_MNEMONIC (or CHEQD_MNEMONIC_FILE)  the mnemonic of the paying account
// --rpc <url>        of a node; several may be given
// --network <name>   testnet (default) or mainnet: the namespace of the chain
// --chain-id <id>    where it is not that of the public network
// --allow-http       a node that is asked over http on another machine
// --every            all suites, not only those that pass through other code on a network
// --grep <text>      only tests whose titles have this
// --yes              begins without asking
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { NETWORKS, inCheq, type Network } from '@vidimus/core-types'
import type { CheqdReport } from '@vidimus/ledger-cheqd'
import { costOf, type Counted } from './try-cheqd-node/counted-messages.js'
import { OneNetwork, type NetworkOptions } from './try-cheqd-node/one-network.js'

const { values: options } = parseArgs({
  options: {
    rpc: { type: 'string', multiple: true, default: [] },
    network: { type: 'string', default: 'testnet' },
    'chain-id': { type: 'string' },
    'allow-http': { type: 'boolean', default: false },
    every: { type: 'boolean', default: false },
    grep: { type: 'string' },
    yes: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
/** A test of many blocks takes minutes where a block takes seconds. */
const LONGEST_TEST_MS = 1_800_000

async function tryNetwork(): Promise<number> {
  const mnemonic = wordsOfPayer()
  const network = NETWORKS.find((name) => name === options.network)
  if (mnemonic === '' || !network || options.rpc.length === 0) {
    console.error(
      'Needs --rpc <url>, --network testnet or mainnet, and the words of the payer in CHEQD_MNEMONIC.',
    )
    return 2
  }
  const settings = settingsOf(network)
  const chain = await OneNetwork.open(settings, mnemonic)
  try {
    const before = await chain.report()
    tell(before)
    const cost = await costOn(network, before)
    if (cost === undefined || !(await mayBegin(cost, before))) return 1
    const startedAt = Date.now()
    const code = await runSuite({ VIDIMUS_TRY_CHEQD: JSON.stringify(settings), CHEQD_MNEMONIC: mnemonic })
    tellWhatItTook(before, await chain.report(), Date.now() - startedAt)
    return code
  } finally {
    await chain.stop()
  }
}

function wordsOfPayer(): string {
  const { CHEQD_MNEMONIC = '', CHEQD_MNEMONIC_FILE } = process.env
  return (CHEQD_MNEMONIC_FILE ? readFileSync(CHEQD_MNEMONIC_FILE, 'utf8') : CHEQD_MNEMONIC).trim()
}

const settingsOf = (network: Network): NetworkOptions => ({
  network,
  rpc: options.rpc,
  ...(options['chain-id'] !== undefined && { chainId: options['chain-id'] }),
  ...(options['allow-http'] && { allowHttp: true }),
})

function tell({ chainId, host, height, nodeVersion, payer }: CheqdReport): void {
  console.log(`${chainId} at block ${height}, by ${host} (CometBFT ${nodeVersion})`)
  if (payer) console.log(`${payer.address} pays, and has ${inCheq(payer.balance)} CHEQ`)
}

/** Counts what the suite writes, on a double. @returns in CHEQ; `undefined` where the suite fails even there */
async function costOn(network: Network, { fees }: CheqdReport): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-try-count-'))
  const file = join(folder, 'counted.json')
  try {
    console.log('Counting what the suite writes, on a double of the network...')
    if ((await runSuite({ VIDIMUS_TRY_COUNT: file }, ['--reporter', 'dot'])) !== 0) return undefined
    const counted = (JSON.parse(readFileSync(file, 'utf8')) as Record<Network, Counted>)[network]
    const messages = Object.entries(counted.messages).map(([kind, count]) => `${count} ${kind}`)
    console.log(`It writes ${messages.join(', ')}, and makes ${counted.payments} payments.`)
    return fees ? costOf(counted, fees) : Infinity
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function mayBegin(cost: number, { payer }: CheqdReport): Promise<boolean> {
  console.log(`That costs ${cost} CHEQ at the most, at the network's prices of now.`)
  if (!payer || inCheq(payer.balance) < cost) {
    console.error('The payer has less than that.')
    return false
  }
  if (options.yes) return true
  if (!process.stdin.isTTY) {
    console.error('Nothing was written; --yes begins.')
    return false
  }
  const line = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await line.question('Begin? (yes/no) ')
  line.close()
  return answer.trim() === 'yes'
}

/** @returns the exit code of mocha: how many tests failed */
async function runSuite(environment: Record<string, string>, more: readonly string[] = []): Promise<number> {
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
  const args = [mocha, '--spec', 'deploy/try-cheqd-node/suite.ts', '--timeout', String(LONGEST_TEST_MS)]
  const grep = options.grep === undefined ? [] : ['--grep', options.grep]
  const every = options.every ? { VIDIMUS_TRY_EVERY: '1' } : {}
  const reporter = more.length > 0 ? more : ['--reporter', 'spec']
  const child = spawn(process.execPath, [...args, ...grep, ...reporter], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...every, ...environment },
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

function tellWhatItTook(before: CheqdReport, after: CheqdReport, ms: number): void {
  const blocks = after.height - before.height
  const paid = inCheq((before.payer?.balance ?? 0n) - (after.payer?.balance ?? 0n))
  console.log(
    `It took ${Math.round(ms / 1000)} s and ${blocks} blocks (${(ms / 1000 / blocks).toFixed(1)} s each), and cost ${paid} CHEQ.`,
  )
}

process.exitCode = await tryNetwork()
