#!/usr/bin/env node
import { main } from '#main'
import { endWithNpm } from './end-with-npm.js'

endWithNpm()
await main(process.argv)
