import { hostileTextSuite } from './behaviour/hostile-texts.js'
import { describeService } from './behaviour/set-ups.js'

/** On SQLite requests at random hold the same texts, see `fuzzing.test.ts`. */
describeService('PostgreSQL, three processes that take turns', hostileTextSuite)
