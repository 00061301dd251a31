import { describeIsolation } from './behaviour/account-isolation.js'

describeIsolation('SQLite')
