export { ApiError, type ApiProblem } from './api-error.js'
export type { components, operations, paths } from './api-types.js'
export {
  createClient,
  type AnswerOf,
  type Call,
  type Client,
  type ClientOptions,
  type PathOf,
} from './client.js'
