export * from './linked-resource.js'
export * from './status-list.js'
