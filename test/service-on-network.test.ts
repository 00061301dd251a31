import { suitesThatDiffer } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

// Beside what service.test.ts shows on SQLite with embedded ledgers: another database, networks, and a second process.
describeService('PostgreSQL, cheqd networks, two processes that take turns', suitesThatDiffer)
