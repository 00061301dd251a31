import { asBudgeted, budgets } from './support/budgets.js'
import { read } from './support/repository.js'
import { relativeImports, sources } from './support/sources.js'

/** Sources that are written by hand. */
const own = sources.filter(({ file }) => !file.endsWith('/api-types.ts'))

/** Sources of packages that exactly one other source imports. */
function oneImporterFiles(): number {
  const ours = new Set(own.map(({ file }) => file))
  const importers = new Map<string, Set<string>>()
  for (const [file, imports] of relativeImports()) {
    if (!ours.has(file)) continue
    for (const each of imports) importers.set(each, (importers.get(each) ?? new Set()).add(file))
  }
  return [...importers.values()].filter(({ size }) => size === 1).length
}

/** Packages of others that an installation for production cannot do without. */
function productionPackages(): number {
  interface Locked {
    link?: boolean
    dev?: boolean
    optional?: boolean
    devOptional?: boolean
  }
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const needed = Object.entries(packages).filter(
    ([location, { link, dev, optional, devOptional }]) =>
      location.includes('node_modules/') && !link && !dev && !optional && !devOptional,
  )
  return needed.length
}

describe('budgets of the house', () => {
  const { house } = budgets
  it('limit the lines of our own source', () => {
    const lines = own.reduce((total, { text }) => total + text.split('\n').length - 1, 0)
    asBudgeted('house.lines', lines, house.lines)
  })

  it('limit the number of source files', () => asBudgeted('house.files', own.length, house.files))

  it('limit the files that only one other file imports', () =>
    asBudgeted('house.oneImporterFiles', oneImporterFiles(), house.oneImporterFiles))

  it('limit the packages of others that production needs', () =>
    asBudgeted('house.productionPackages', productionPackages(), house.productionPackages))
})
