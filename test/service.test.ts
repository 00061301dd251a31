import { rateLimitSuite } from './shared/rate-limits.js'
import { everySuite } from './shared/service-suites.js'
import { describeService } from './shared/set-ups.js'

describeService('SQLite, kms-node', everySuite)

describe('the service with low limits', rateLimitSuite)
