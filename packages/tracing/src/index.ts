export type { TracingOptions } from './options.js'
export { Tracing } from './tracing.js'
