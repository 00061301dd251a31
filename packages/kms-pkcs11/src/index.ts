export type { Pkcs11Options } from './options.js'
export { Pkcs11KeyManagementSystem } from './pkcs11-key-management-system.js'
