import { join } from 'node:path'

/** What `exports` of a package.json may hold; checked while it is walked. */
export type ExportsTarget = unknown

class InvalidTarget extends Error {}

const INVALID_SEGMENT = /(^|[\\/])(\.\.?|node_modules)([\\/]|$)/i

/**
 * Looks up a subpath in the `exports` of a package.json.
 *
 * @param subpath - `.` or `./...`
 * @param conditions - beside `default`, which always holds
 * @returns absolute path, or `undefined` where the package does not export it
 * @throws Error where the package.json is malformed
 * @see Node.js, "ECMAScript modules", PACKAGE_EXPORTS_RESOLVE
 */
export function resolveExports(
  packageFolder: string,
  subpath: string,
  exports: ExportsTarget,
  conditions: ReadonlySet<string>,
): string | undefined {
  const bySubpath = subpathsOf(exports)
  if (subpath !== '.' && !bySubpath) return undefined
  const match = bySubpath ? matchSubpath(subpath, bySubpath) : { target: exports, pattern: undefined }
  if (!match) return undefined
  return resolveTarget(match.target, match.pattern, packageFolder, conditions) ?? undefined
}

function subpathsOf(exports: ExportsTarget): Record<string, unknown> | undefined {
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) return undefined
  const dotted = Object.keys(exports).filter((key) => key.startsWith('.')).length
  if (dotted === 0) return undefined
  if (dotted < Object.keys(exports).length) {
    throw new Error('its package.json mixes subpaths and conditions in "exports"')
  }
  return exports as Record<string, unknown>
}

function matchSubpath(
  subpath: string,
  targets: Record<string, unknown>,
): { target: unknown; pattern: string | undefined } | undefined {
  if (Object.hasOwn(targets, subpath) && !subpath.includes('*') && !subpath.endsWith('/')) {
    return { target: targets[subpath], pattern: undefined }
  }
  const patterns = Object.keys(targets).filter((key) => key.split('*').length === 2)
  for (const key of patterns.sort(moreSpecificFirst)) {
    const star = key.indexOf('*')
    const before = key.slice(0, star)
    const after = key.slice(star + 1)
    if (!subpath.startsWith(before) || subpath === before) continue
    if (after !== '' && (!subpath.endsWith(after) || subpath.length < key.length)) continue
    return { target: targets[key], pattern: subpath.slice(before.length, subpath.length - after.length) }
  }
  return undefined
}

const moreSpecificFirst = (a: string, b: string): number =>
  b.indexOf('*') - a.indexOf('*') || b.length - a.length

/** `null` is an answer: not exported, whatever comes after. `undefined` lets the next condition try. */
function resolveTarget(
  target: unknown,
  pattern: string | undefined,
  packageFolder: string,
  conditions: ReadonlySet<string>,
): string | null | undefined {
  if (typeof target === 'string') return resolveFile(target, pattern, packageFolder)
  if (target === null) return null
  if (Array.isArray(target)) return resolveFirst(target, pattern, packageFolder, conditions)
  if (typeof target !== 'object') throw new InvalidTarget('its package.json has a malformed "exports"')
  for (const [condition, inner] of Object.entries(target)) {
    if (condition !== 'default' && !conditions.has(condition)) continue
    const resolved = resolveTarget(inner, pattern, packageFolder, conditions)
    if (resolved !== undefined) return resolved
  }
  return undefined
}

function resolveFirst(
  targets: readonly unknown[],
  pattern: string | undefined,
  packageFolder: string,
  conditions: ReadonlySet<string>,
): string | null | undefined {
  let last: string | null | undefined = targets.length === 0 ? null : undefined
  let mistake: InvalidTarget | undefined
  for (const target of targets) {
    try {
      const resolved = resolveTarget(target, pattern, packageFolder, conditions)
      if (resolved === undefined) continue
      if (resolved !== null) return resolved
      last = null
      mistake = undefined
    } catch (error) {
      if (!(error instanceof InvalidTarget)) throw error
      mistake = error
    }
  }
  if (mistake) throw mistake
  return last
}

function resolveFile(target: string, pattern: string | undefined, packageFolder: string): string {
  if (!target.startsWith('./') || INVALID_SEGMENT.test(target.slice(2))) {
    throw new InvalidTarget(`its package.json has a target in "exports" that leads elsewhere: "${target}"`)
  }
  if (pattern === undefined) return join(packageFolder, target)
  if (INVALID_SEGMENT.test(pattern)) throw new Error(`"${pattern}" is no path inside the package`)
  return join(
    packageFolder,
    target.replaceAll('*', () => pattern),
  )
}
