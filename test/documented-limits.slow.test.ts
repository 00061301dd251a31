import { documentedLimitsSuite } from './behaviour/documented-limits.js'

describe('all limits in the API document', () => documentedLimitsSuite())
