import { suitesThatDiffer } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

// In addition to service.test.ts, which uses SQLite and embedded ledgers: another database, networks, and a second process.
describeService('PostgreSQL, cheqd networks, two processes that take turns', suitesThatDiffer)
