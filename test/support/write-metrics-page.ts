import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricsPage } from './metrics-page.js'
import { root } from './repository.js'

writeFileSync(join(root, 'docs/metrics.md'), await metricsPage())
