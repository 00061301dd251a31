export { demandPublicHost, isPublicAddress, lookupPublic } from './public-addresses.js'
