import { suitesThatDiffer } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

describeService('PostgreSQL, two processes that take turns', (setup) => suitesThatDiffer(setup, 'processes'))
