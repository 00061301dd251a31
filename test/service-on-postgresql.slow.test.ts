import { everySuite } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

describeService('PostgreSQL', (setup) => everySuite(setup, 'PostgreSQL'))

const COMBINED = 'PostgreSQL, cheqd networks, three processes that take turns'
if (process.env.SET_UPS === 'all') describeService(COMBINED, (setup) => everySuite(setup))
