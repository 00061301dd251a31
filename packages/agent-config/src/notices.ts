import { nodesBelow, type ConfigNode } from './config-node.js'
import type { ConfigurationDocument } from './document.js'
import type { PlannedObject } from './planner.js'
import { referenceName } from './require-reference.js'

const ACCOUNT_STORES: Record<string, string> = {
  KeyStore: 'AccountKeyStore',
  DIDStore: 'AccountDIDStore',
  PrivateKeyStore: 'AccountPrivateKeyStore',
}

/** Veramo's own stores load, but the operator must know their limitations. */
export function stockStoreNotices(
  { source }: ConfigurationDocument,
  objects: readonly PlannedObject[],
): string[] {
  return objects.flatMap(({ reference, text }) => {
    const replacement = ACCOUNT_STORES[reference.member ?? '']
    if (reference.module !== '@veramo/data-store' || replacement === undefined) return []
    return [
      `${source.label}:${source.lineAt(text.start)}: "${referenceName(reference)}" does not isolate accounts and can lose data ` +
        `it reported as stored when several calls write concurrently; ` +
        `use "@vidimus/custody#${replacement}" here instead`,
    ]
  })
}

/** Not reached from everywhere: the two entry points and `version`; `x-...` is for anchors only. */
const isExempt = (section: string): boolean => /^(version|agent|server|x-.*)$/.test(section)

/** Sections that nothing reaches, most likely because of a misspelt name. */
export function unusedSectionNotices(
  { source, root }: ConfigurationDocument,
  reached: { has(node: ConfigNode): boolean },
): string[] {
  return [...root.entries].flatMap(([section, { keyStart, node }]) => {
    if (isExempt(section) || [...nodesBelow(node)].some((below) => reached.has(below))) return []
    return [`${source.label}:${source.lineAt(keyStart)}: the section "${section}" is unused; check its name`]
  })
}
