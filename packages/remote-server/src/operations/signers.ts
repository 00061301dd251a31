import { AgentError, BOUNDS, findKeyRow } from '@vidimus/core-types'
import { z } from 'zod'
import { hexKey } from '../schemas/primitives.js'
import type { ServiceAgent } from '../service-agent.js'

/** Clients of the original send this with ledger changes. */
export const signers = () =>
  z.array(hexKey('Public key')).max(BOUNDS.documentEntries).optional().meta({
    description:
      'Public keys (hex) of the account to sign with. Optional: all of its keys in the documents sign anyway',
  })

/** @throws AgentError `key_not_found` with every key that the account does not hold */
export async function mustHoldSigners(agent: ServiceAgent, kids: readonly string[] = []): Promise<void> {
  const held = await Promise.all(kids.map((kid) => findKeyRow({ agent }, kid)))
  const details = kids.flatMap((_kid, n) =>
    held[n]
      ? []
      : [{ path: `publicKeyHexs[${n}]`, message: 'is not the public key of a key that the account holds' }],
  )
  const [first] = details
  if (first) throw new AgentError('key_not_found', `${first.path}: ${first.message}`, { details })
}
