import { hostileTextSuite } from './shared/hostile-texts.js'
import { describeService } from './shared/set-ups.js'

/** On SQLite requests at random hold the same texts, see `fuzzing.test.ts`. */
describeService('PostgreSQL, three processes that take turns', hostileTextSuite)
