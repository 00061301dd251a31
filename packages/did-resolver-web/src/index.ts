export { fetchContent, NotThere, sentenceAbout, type FetchLimits } from './fetch-document.js'
export { fetchOptions, type FetchOptions } from './fetch-options.js'
export { requireFittingDocument } from './fitting-document.js'
export { getWebDidResolver, type WebDidResolverOptions } from './web-did-resolver.js'
