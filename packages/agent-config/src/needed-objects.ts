import type { ConfigNode } from './config-node.js'
import type { PlannedObject, Plans } from './plan.js'

/** The objects that an object is built from, itself included. */
export function neededObjects(object: PlannedObject, plans: Plans): Set<PlannedObject> {
  const needed = new Set<PlannedObject>()
  collect(object, plans, needed)
  return needed
}

function collect(object: PlannedObject, plans: Plans, needed: Set<PlannedObject>): void {
  if (needed.has(object)) return
  needed.add(object)
  for (const node of object.args) collectBelow(node, plans, needed)
}

function collectBelow(node: ConfigNode, plans: Plans, needed: Set<PlannedObject>): void {
  const plan = plans.get(node)
  if (plan?.kind === 'object') collect(plan.object, plans, needed)
  if (plan?.kind === 'same') collectBelow(plan.as, plans, needed)
  if (plan?.kind === 'list') for (const item of plan.items) collectBelow(item, plans, needed)
  if (plan?.kind === 'map') for (const [, entry] of plan.entries) collectBelow(entry, plans, needed)
}
