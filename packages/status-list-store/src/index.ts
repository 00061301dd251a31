export { migrations } from './migrations/index.js'
