export { CertificatesPlugin } from './certificates-plugin.js'
export type { CertificatesPluginOptions } from './plugin-options.js'
