import { cheqd, describeLedgerChanges } from './behaviour/ledger-changes.js'

describeLedgerChanges('cheqd', 'SQLite', cheqd)
describeLedgerChanges('cheqd', 'PostgreSQL', cheqd)
