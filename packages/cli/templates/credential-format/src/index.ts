export { TemplateName } from './template-name.js'
