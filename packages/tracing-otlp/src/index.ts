export { SdkTracer, type Destination } from './sdk-tracer.js'
