export { RevocationList2020, type RevocationList2020Document } from './revocation-list-2020.js'
