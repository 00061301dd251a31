export { JcsCredentials } from './jcs-credentials.js'
