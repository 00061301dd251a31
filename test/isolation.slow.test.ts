import { describeIsolation } from './shared/account-isolation.js'

describeIsolation('PostgreSQL')
