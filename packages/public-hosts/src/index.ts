export { demandPublicHost, isPublicAddress, NOT_REACHED } from './public-addresses.js'
export { StrangersHosts, type HostLookup, type StrangersHostsOptions } from './strangers-hosts.js'
export { getFromHost, type GetLimits, type HostAnswer } from './bounded-get.js'
