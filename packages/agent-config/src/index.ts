export * from './loading.js'
export { createAgentFromConfig } from './create-agent.js'
export { ServiceAgent } from './service-agent.js'
