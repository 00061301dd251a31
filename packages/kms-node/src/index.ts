export { loadSecret, type SecretSource } from './load-secret.js'
export { NodeKeyManagementSystem, type NodeKeyManagementSystemOptions } from './node-key-management-system.js'
export { PrivateKeyEnvelope, type PrivateKeyEnvelopeOptions } from './private-key-envelope.js'
