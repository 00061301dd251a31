import { rateLimitSuite } from './behaviour/rate-limits.js'
import { everySuite } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

describeService('SQLite, kms-node', everySuite)

describe('the service with low limits', rateLimitSuite)
