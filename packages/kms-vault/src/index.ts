export type { VaultOptions } from './options.js'
export { VaultKeyManagementSystem } from './vault-key-management-system.js'
