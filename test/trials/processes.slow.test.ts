import { shortTrials } from './short-trials.js'

shortTrials('processes')
