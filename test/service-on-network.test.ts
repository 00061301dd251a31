import { suitesThatDiffer } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

describeService('SQLite, kms-local, cheqd networks', (setup) => suitesThatDiffer(setup, 'network'))
