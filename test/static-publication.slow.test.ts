import { publishesIntoFolder } from './support/static-publication-suite.js'

publishesIntoFolder('PostgreSQL')
