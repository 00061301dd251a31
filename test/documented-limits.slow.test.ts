import { documentedLimitsSuite } from './shared/documented-limits.js'

describe('all limits in the API document', () => documentedLimitsSuite())
