import type { IIdentifier } from '@veramo/core-types'
import type { IDIDCreation, LedgerPart, OpenTransaction } from '@vidimus/core-types'
import type { Ledger, LedgerMessage } from '@vidimus/ledger'
import type { SigningContext } from './held-keys.js'
import { asAgentError, askLedger } from './ledgers-by-network.js'

/**
 * The account's stores include the ledger in their transaction, or store the intent: a DID on the ledger always has
 * its account.
 *
 * @returns `joined`: the DID is created with its rows, and the ledger must not be contacted
 */
export async function recordCreation(
  identifier: Omit<IIdentifier, 'provider'>,
  { ledger, signed }: { ledger: Ledger; signed: LedgerMessage },
  { agent }: SigningContext,
): ReturnType<IDIDCreation['didCreationRecord']> {
  if (!agent.availableMethods().includes('didCreationRecord')) return { joined: false }
  const together = await preparePart(ledger, signed)
  const args = { identifier, ...(together && { together }) }
  const recorded = await agent.execute<
    typeof args,
    Awaited<ReturnType<IDIDCreation['didCreationRecord']>> | undefined
  >('didCreationRecord', args)
  return recorded ?? { joined: false }
}

async function preparePart(
  { participation }: Ledger,
  signed: LedgerMessage,
): Promise<LedgerPart | undefined> {
  if (!participation) return undefined
  const step = await askLedger(participation.prepare(signed))
  const write = async (transaction: OpenTransaction) => void (await step(transaction))
  return { database: participation.database, write, refused: asAgentError }
}
