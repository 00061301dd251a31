import type { LedgerError } from '@vidimus/ledger'

/** The node's names for members; all others are ours in snake case. */
const DOCUMENT_NAMES = { verificationMethodType: 'type', serviceType: 'type' }
const RESOURCE_NAMES = {
  collectionId: 'resourceCollectionId',
  id: 'resourceId',
  name: 'resourceName',
  version: 'resourceVersion',
  resourceType: 'resourceType',
  alsoKnownAs: 'resourceAlternativeUri',
}

/** A member or the end of its members in `payload: (service: (0: (id: ...); 1: ...).).` */
const NESTING = /(?:^|\(|; )([a-z_]+|resource[A-Za-z]+|\d+): (?=(\()?)|\.\)/g

/** The members that a node's text nests, in its names; none where it names no member. */
export function nestedPaths(log: string): string[] {
  if (!/^(?:payload: \(|signatures: )/.test(log)) return []
  const [open, paths]: [string[], string[]] = [[], []]
  for (const [, name, container] of log.matchAll(NESTING)) {
    if (name === undefined) open.pop()
    else if (container !== undefined) open.push(name)
    else paths.push([...open, name].join('.'))
  }
  return paths.sort()
}

/**
 * The members of a refusal in the names of the node. What is wrong with a list as a whole is all that the node says of it,
 * and with a first refusal it has not looked at networks yet.
 */
export function refusedPaths({ code, problems }: LedgerError, isResource: boolean): string[] {
  const names: Readonly<Record<string, string>> = isResource ? RESOURCE_NAMES : DOCUMENT_NAMES
  const paths = problems
    .filter(({ message }) => code !== 1205 || !message.startsWith('did namespace must be'))
    .map(({ path }) => {
      const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
      const inPayload = steps[0] === 'signatures' ? steps : ['payload', ...steps]
      return inPayload.map((step) => names[step] ?? snakeCase(step)).join('.')
    })
  const isInner = (path: string) => paths.some((other) => path.startsWith(`${other}.`))
  return paths.filter((path) => !isInner(path)).sort()
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
