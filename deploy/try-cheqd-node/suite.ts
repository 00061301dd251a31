// The behavioural suite, for mocha: on the network that VIDIMUS_TRY_CHEQD names, or, where it names none, on doubles of both,
// which count what would be paid for into the file VIDIMUS_TRY_COUNT.
import { writeFileSync } from 'node:fs'
import { everySuite, suitesThatDiffer } from '../../test/behaviour/service-suites.js'
import { describeOn } from '../../test/behaviour/set-ups.js'
import type { Setup } from '../../test/behaviour/suite.js'
import { CheqdSetup } from '../../test/support/cheqd-setup.js'
import { countedMessages } from './counted-messages.js'
import { OneNetwork, type NetworkOptions } from './one-network.js'

const { VIDIMUS_TRY_CHEQD = '', VIDIMUS_TRY_COUNT = '', VIDIMUS_TRY_EVERY, CHEQD_MNEMONIC = '' } = process.env
const suites = (setup: Setup) =>
  VIDIMUS_TRY_EVERY === '1' ? everySuite(setup) : suitesThatDiffer(setup, 'network')

if (VIDIMUS_TRY_CHEQD === '') describeOn('doubles of the networks', counting, suites)
else describeOn('a network that there is', real, suites)

async function real() {
  const networks = await OneNetwork.open(JSON.parse(VIDIMUS_TRY_CHEQD) as NetworkOptions, CHEQD_MNEMONIC)
  const { configure, environment } = networks
  return { configure, environment, networks }
}

async function counting() {
  const networks = await CheqdSetup.start()
  const { configure, environment, stop } = networks
  networks.stop = async () => {
    const { testnet, mainnet } = networks.nodes
    const counted = { testnet: countedMessages(testnet.chain), mainnet: countedMessages(mainnet.chain) }
    writeFileSync(VIDIMUS_TRY_COUNT, JSON.stringify(counted))
    await stop()
  }
  return { configure, environment, networks }
}
