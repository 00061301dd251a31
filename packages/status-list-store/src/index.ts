export { migrations } from './baseline.js'
export { StatusListStore, type StatusListStoreOptions } from './status-list-store.js'
