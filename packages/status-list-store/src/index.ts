export { migrations } from './migrations/index.js'
export { StatusListStore, type StatusListStoreOptions } from './status-list-store.js'
