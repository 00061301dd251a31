import { describeLedgerChanges, embedded } from './shared/ledger-changes.js'

describeLedgerChanges('embedded', 'SQLite', embedded)
describeLedgerChanges('embedded', 'PostgreSQL', embedded)
