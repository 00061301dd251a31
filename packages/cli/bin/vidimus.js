#!/usr/bin/env node
import { main } from '../build/main.js'

await main(process.argv)
