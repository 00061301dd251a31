export * from './presentation-plugin.js'
