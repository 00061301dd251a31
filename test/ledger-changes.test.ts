import { describeLedgerChanges, embedded } from './behaviour/ledger-changes.js'

describeLedgerChanges('embedded', 'SQLite', embedded)
describeLedgerChanges('embedded', 'PostgreSQL', embedded)
