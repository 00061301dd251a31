export type { ArchiveProgress } from './archive-format.js'
export { exportDatabase, type ExportOptions, type ExportSummary } from './export-database.js'
export { importArchive, type ImportOptions, type ImportSummary } from './import-archive.js'
export { SHORTEST_PASSPHRASE } from './sealed-file.js'
