import type { Operation } from '@vidimus/remote-server/operations'

/** Operations whose path has no verb: their id does, behind the prefix. */
const BY_ID: readonly [prefix: string, words: readonly string[]][] = [
  ['api-key-', ['key']],
  ['webhook-', ['webhook']],
  ['status-job-', ['credential-status', 'job']],
  ['operator-account-', ['account']],
  ['operator-session-', ['session']],
  ['operator-', ['operator']],
]

/** Interfaces of other specifications, which have clients of their own. */
const OTHERS = /^(registrar|vc-api)-/

export const isEveryday = ({ id }: Pick<Operation, 'id'>): boolean => !OTHERS.test(id)

/**
 * The words of a command: those of the path of its operation. `key` alone are API keys, as in the local commands; keys
 * in custody are `custody key`.
 */
export function commandWords({ id, path }: Pick<Operation, 'id' | 'path'>): string[] {
  for (const [prefix, words] of BY_ID) {
    if (id.startsWith(prefix)) return [...words, id.slice(prefix.length)]
  }
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const [noun = '', ...rest] = words
  // DELETE /key/{kid}
  const verbs = rest.length > 0 ? rest : [id.slice(noun.length + 1)]
  return noun === 'key' ? ['custody', noun, ...verbs] : [noun, ...verbs]
}

/** The names in the path, in its order: arguments of the command. */
export const pathNames = ({ path }: Pick<Operation, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
