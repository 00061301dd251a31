// For programs that make something of the definitions, such as the command line: without the server itself.
export { fieldKind } from '../input/field-kind.js'
export type { Operation } from '../operation.js'
export { operations } from './index.js'
