import type { ConfigNode } from './config-node.js'
import { planChild, written } from './locate.js'
import type { PlannedObject, Plans } from './planner.js'
import { referenceName } from './require-reference.js'

/** The role of a part of an agent. */
export type PartRole =
  'plugin' | 'provider' | 'resolver' | 'kms' | 'key store' | 'DID store' | 'list type' | 'ledger'

/** A part that an object gets in its first argument. */
export interface ConfiguredPart {
  role: PartRole
  /** its key in the containing map: a DID method, the name of a KMS */
  name?: string
  /** where it is listed, before following any `$ref` */
  node: ConfigNode
}

interface Slot {
  role: PartRole
  /** its place in the first argument */
  path: readonly string[]
  /** one part, each item of a list, or each entry of a map */
  shape: 'one' | 'list' | 'map'
}

const AGENT: readonly Slot[] = [{ role: 'plugin', path: ['plugins'], shape: 'list' }]
const LEDGERS: readonly Slot[] = [{ role: 'ledger', path: ['ledgers'], shape: 'list' }]

/** The classes and functions that take parts, and where; third-party ones check their parts themselves. */
const SLOTS: Readonly<Record<string, readonly Slot[]>> = {
  '@veramo/core#Agent': AGENT,
  '@veramo/core#createAgent': AGENT,
  '@vidimus/agent-config#ServiceAgent': AGENT,
  '@veramo/key-manager#KeyManager': [
    { role: 'key store', path: ['store'], shape: 'one' },
    { role: 'kms', path: ['kms'], shape: 'map' },
  ],
  '@veramo/did-manager#DIDManager': [
    { role: 'DID store', path: ['store'], shape: 'one' },
    { role: 'provider', path: ['providers'], shape: 'map' },
  ],
  '@veramo/did-resolver#DIDResolverPlugin': [{ role: 'resolver', path: [], shape: 'map' }],
  '@vidimus/status-list#StatusListPlugin': [{ role: 'list type', path: ['types'], shape: 'list' }],
  '@vidimus/did-provider-cheqd#CheqdDIDProvider': LEDGERS,
  '@vidimus/did-provider-cheqd#CheqdLedgerPlugin': LEDGERS,
}

export const isAgent = ({ reference }: Pick<PlannedObject, 'reference'>): boolean =>
  SLOTS[referenceName(reference)] === AGENT

/** The parts in the first argument of an object, as far as they can be determined without building it. */
export function objectParts(object: PlannedObject, plans: Plans): ConfiguredPart[] {
  const [argument] = object.args
  const slots = SLOTS[referenceName(object.reference)]
  if (!argument || !slots) return []
  return slots.flatMap((slot) => partsIn(slot, argument, plans))
}

function partsIn({ role, path, shape }: Slot, argument: ConfigNode, plans: Plans): ConfiguredPart[] {
  const inside = (node: ConfigNode | undefined, step: string) =>
    node && planChild(written(node, plans).plan, step)
  const holder = path.reduce<ConfigNode | undefined>(inside, argument)
  if (!holder) return []
  if (shape === 'one') return [{ role, node: holder }]
  const { plan } = written(holder, plans)
  if (shape === 'list') return plan?.kind === 'list' ? plan.items.map((node) => ({ role, node })) : []
  return plan?.kind === 'map' ? plan.entries.map(([name, node]) => ({ role, name, node })) : []
}
