#!/usr/bin/env node
import { main } from '../build/main.js'
import { endWithNpm } from './end-with-npm.js'

endWithNpm()
await main(process.argv)
