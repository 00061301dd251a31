#!/usr/bin/env node
import { keepCompiledCode, useBundledLibraries } from './loading.js'
import { endWithNpm } from './end-with-npm.js'
import { requireNode } from './require-node.js'

requireNode()
endWithNpm()
keepCompiledCode()
useBundledLibraries()
// Not before: an older Node.js may not be able to load it.
const { main } = await import('#main')
await main(process.argv)
