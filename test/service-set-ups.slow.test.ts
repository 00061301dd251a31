import { everySuite } from './behaviour/service-suites.js'
import { describeService, SET_UPS } from './behaviour/set-ups.js'

const IN_DEFAULT_TIER = 'SQLite, kms-node'

const names = Object.keys(SET_UPS) as (keyof typeof SET_UPS)[]
for (const name of names.filter((each) => each !== IN_DEFAULT_TIER)) describeService(name, everySuite)
