export { TemplateNameDIDProvider } from './templatename-did-provider.js'
export { getTemplateNameDidResolver } from './templatename-did-resolver.js'
