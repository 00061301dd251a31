export { demandPublicHost, isPublicAddress, lookupPublic, publicLookupInTurn } from './public-addresses.js'
