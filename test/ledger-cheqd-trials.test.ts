import { cheqdTrials } from './behaviour/cheqd-trials.js'

// As on the public networks.
cheqdTrials(6000)
