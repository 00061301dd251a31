/** Statements whose tables were determined; there are many built from lists. */
const MOST_KNOWN = 2000

/** Not the UPDATE of an `ON CONFLICT`, which has no table of its own. */
const WRITES = /\b(?:INSERT\s+INTO|UPDATE(?!\s+SET\b)|DELETE\s+FROM)\s+"?([A-Za-z_][\w-]*)"?/gi
const READS = /\b(?:FROM|JOIN)\s+"?([A-Za-z_][\w-]*)"?/gi
/** Names that a statement gives to parts of itself. */
const OWN_NAMES = /\b([A-Za-z_]\w*)\s+AS\s*\(\s*SELECT\b/gi

const finder = (pattern: RegExp): ((text: string) => ReadonlySet<string>) => {
  const known = new Map<string, ReadonlySet<string>>()
  return function findTables(text) {
    let tables = known.get(text)
    if (tables) return tables
    tables = new Set([...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()))
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(text, tables)
    return tables
  }
}

/** Names of the tables that a statement writes to. */
export const writtenTables = finder(WRITES)

const readNames = finder(READS)
const ownNames = finder(OWN_NAMES)

/** Names of the tables that a statement reads. */
export const readTables = (text: string): readonly string[] =>
  [...readNames(text)].filter((name) => !ownNames(text).has(name))
