export * from './did-jwt-plugin.js'
export * from './jwt-form.js'
export * from './presentation-plugin.js'
export * from './public-keys.js'
