import { cheqd, describeLedgerChanges } from './shared/ledger-changes.js'

describeLedgerChanges('cheqd', 'SQLite', cheqd)
describeLedgerChanges('cheqd', 'PostgreSQL', cheqd)
