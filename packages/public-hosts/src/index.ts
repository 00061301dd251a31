export { demandPublicHost, isPublicAddress } from './public-addresses.js'
export { StrangersHosts, type HostLookup, type StrangersHostsOptions } from './strangers-hosts.js'
