import { documentedLimitsSuite } from './behaviour/documented-limits.js'

describe('limits in the API document', () =>
  documentedLimitsSuite([
    'create-status-list',
    'update-status-list',
    'check-status-list',
    'presentation-create',
    'key-create',
    'did-search',
  ]))
