import { createHash } from 'node:crypto'
import type { Chain } from './chain.js'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase()

export const NODE_ID = sha256('node for tests').slice(0, 40).toLowerCase()
export const VALIDATOR = sha256('validator for tests').slice(0, 40)
export const VALIDATOR_KEY = createHash('sha256')
  .update('key of the validator for tests')
  .digest()
  .toString('base64')

const publicKey = { type: 'tendermint/PubKeyEd25519', value: VALIDATOR_KEY }

/** The one validator there is, and how its chain began: what explorers ask, and no writer. */
export const VALIDATOR_METHODS = {
  validators: ({ chain, lagBlocks }: { chain: Chain; lagBlocks: number }) => ({
    block_height: String(Math.max(1, chain.height - lagBlocks)),
    validators: [{ address: VALIDATOR, pub_key: publicKey, voting_power: '1', proposer_priority: '0' }],
    count: '1',
    total: '1',
  }),
  genesis: ({ chain }: { chain: Chain }) => ({
    genesis: {
      genesis_time: chain.blockAt(1)?.time.toISOString() ?? '',
      chain_id: chain.settings.chainId,
      initial_height: '1',
      validators: [{ address: VALIDATOR, pub_key: publicKey, power: '1', name: 'node-for-tests' }],
      app_hash: '',
      app_state: {},
    },
  }),
}
