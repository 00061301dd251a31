import { adviceFrom } from './near-miss.js'
import { describeValue } from './foreign-values.js'
import type { ModuleNamespace } from './module-loader.js'
import { referenceName, type RequireReference } from './require-reference.js'

/** An export that fits its use, or why it does not. */
export type ChosenExport =
  { found: true; value: unknown } | { found: false; message: string; advice?: string | undefined }

/** Takes the export that a `$require` names from a module, and checks that it can be used this way. */
export function chooseExport(namespace: ModuleNamespace, reference: RequireReference): ChosenExport {
  const { member, module } = reference
  if (member === undefined) return checkUse(namespace, reference, namespace)
  const holder = exportHolder(namespace, member)
  if (holder) return checkUse(holder[member], reference, namespace)
  const names = exportNames(namespace)
  return {
    found: false,
    message: `"${module}" has no export "${member}"`,
    advice: adviceFrom(member, names, 'it has') ?? 'it exports nothing',
  }
}

// For a CommonJS module Node.js names only the exports that it can determine without running it; `default` has them
// all.
function exportHolder(
  namespace: ModuleNamespace,
  member: string,
): Readonly<Record<string, unknown>> | undefined {
  if (Object.hasOwn(namespace, member)) return namespace
  const whole = namespace.default
  if (typeof whole !== 'object' && typeof whole !== 'function') return undefined
  if (whole === null || !Object.hasOwn(whole, member)) return undefined
  if (typeof whole === 'function' && Object.hasOwn(Function, member)) return undefined
  return whole as unknown as Record<string, unknown>
}

const exportNames = (namespace: ModuleNamespace): string[] =>
  Object.keys(namespace)
    .filter((name) => name !== '__esModule')
    .sort()

function checkUse(value: unknown, reference: RequireReference, namespace: ModuleNamespace): ChosenExport {
  const name = referenceName(reference)
  if (reference.type === 'object') return { found: true, value }
  if (typeof value !== 'function') {
    const names = exportNames(namespace)
    const advice =
      reference.member === undefined
        ? `name one of its exports after "#": ${names.slice(0, 20).join(', ')}`
        : 'use ?t=object to take it as it is'
    return { found: false, message: `"${name}" is ${describeValue(value)}, not a ${reference.type}`, advice }
  }
  if (reference.type === 'class' && !isConstructor(value)) {
    return {
      found: false,
      message: `"${name}" is a function, not a class`,
      advice: 'use ?t=function to call it',
    }
  }
  if (reference.type === 'function' && isClass(value)) {
    return { found: false, message: `"${name}" is a class, not a function`, advice: 'leave out ?t=function' }
  }
  return { found: true, value }
}

/** Whether `new` is possible, determined without running anything. */
function isConstructor(value: unknown): boolean {
  try {
    // As `newTarget` the function is only asked for its prototype.
    Reflect.construct(Object, [], value as new () => unknown)
    return true
  } catch {
    return false
  }
}

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value))
