import type { ConfigNode } from './config-node.js'
import type { Plan, PlannedObject, Plans } from './planner.js'

/** Where in the file a value is that an object got as an argument. */
export interface ValuePlace {
  node: ConfigNode
  /** the source of a value that is not in the file, for a message: an environment variable, a file */
  origin?: string
  /** offset of the key, if a key itself is meant */
  keyStart?: number
}

/**
 * Finds a part of an argument in the file, following every `$ref` on the way.
 *
 * @param path - as zod has it, or as in `details[].path` of an AgentError: `types[0].name`
 * @returns the nearest parent if the part itself is not in the file
 */
export function locateValue(
  argument: ConfigNode,
  path: string | readonly PropertyKey[],
  plans: Plans,
): ValuePlace {
  let place = written(argument, plans)
  let rest = path
  while (rest.length > 0) {
    // The parts of an object are its options.
    const options = place.plan?.kind === 'object' ? locateOptions(place.plan.object.args, plans) : undefined
    const { plan } = options ? written(options, plans) : place
    const step = typeof rest === 'string' ? textStep(plan, rest) : listedStep(plan, rest)
    if (!step) break
    place = written(step.node, plans)
    rest = step.rest
  }
  const { node, plan } = place
  return { node, ...(plan?.kind === 'value' && plan.origin !== undefined && { origin: plan.origin }) }
}

/** The place of a key in a map that an object got as (part of) an argument. */
export function locateKey(
  argument: ConfigNode,
  path: string | readonly PropertyKey[],
  key: string,
  plans: Plans,
): ValuePlace {
  const place = locateValue(argument, path, plans)
  const entry = place.node.kind === 'map' ? place.node.entries.get(key) : undefined
  return entry ? { ...place, keyStart: entry.keyStart } : place
}

/**
 * The argument whose parts an object can reject: the last that is a map. Those before it are the objects that it
 * works with.
 *
 * @returns the first if none is a map, `undefined` if there are no arguments
 */
export const locateOptions = (args: readonly ConfigNode[], plans: Plans): ConfigNode | undefined =>
  args.findLast((argument) => written(argument, plans).plan?.kind === 'map') ?? args[0]

/** A node with its plan, behind every `$ref` there is. */
export function written(node: ConfigNode, plans: Plans): { node: ConfigNode; plan: Plan | undefined } {
  const plan = plans.get(node)
  return plan?.kind === 'same' ? written(plan.as, plans) : { node, plan }
}

/** The objects that an object is built from, itself included. */
export function neededObjects(object: PlannedObject, plans: Plans): Set<PlannedObject> {
  const needed = new Set([object])
  // Each node once: several may refer to the same, and what that refers to, again.
  const seen = new Set<ConfigNode>()
  const open = [...object.args]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, plan } = written(next, plans)
    if (seen.has(node)) continue
    seen.add(node)
    if (plan?.kind === 'object') needed.add(plan.object)
    open.push(...planChildren(plan))
  }
  return needed
}

function planChildren(plan: Plan | undefined): readonly ConfigNode[] {
  if (plan?.kind === 'object') return plan.object.args
  if (plan?.kind === 'list') return plan.items
  return plan?.kind === 'map' ? plan.entries.map(([, node]) => node) : []
}

function listedStep(plan: Plan | undefined, path: readonly PropertyKey[]) {
  const [first, ...rest] = path
  const node = first === undefined ? undefined : planChild(plan, String(first))
  return node && { node, rest }
}

// A key may itself hold dots, so the longest one that fits is taken.
function textStep(plan: Plan | undefined, path: string) {
  if (plan?.kind === 'list') {
    const index = /^\[(\d+)\]\.?|^(\d+)(?:\.|(?=\[)|$)/.exec(path)
    const node = index ? planChild(plan, index[1] ?? index[2] ?? '') : undefined
    return node && index ? { node, rest: path.slice(index[0].length) } : undefined
  }
  if (plan?.kind !== 'map') return undefined
  const [key, node] =
    plan.entries
      .filter(([name]) => path.startsWith(name) && /^($|[.[])/.test(path.slice(name.length)))
      .sort(([a], [b]) => b.length - a.length)[0] ?? []
  return key !== undefined && node ? { node, rest: path.slice(key.length).replace(/^\./, '') } : undefined
}

/** An item of a list, or an entry of a map. */
export function planChild(plan: Plan | undefined, step: string): ConfigNode | undefined {
  if (plan?.kind === 'list') return plan.items[Number(step)]
  return plan?.kind === 'map' ? plan.entries.find(([key]) => key === step)?.[1] : undefined
}
