import { LISTS_PATH, type PublicationSource } from '@vidimus/core-types'
import { BaseHeaders } from '../answers/base-headers.js'
import { PREFLIGHT, PUBLIC } from '../identifiers/public-headers.js'
import type { ServerSettings } from '../options.js'
import { AGGREGATION, aggregationAnswer } from '../published-lists/aggregation.js'
import { answerFile, fileForm } from './answer-file.js'
import { PublishedDids } from './published-dids.js'
import { PublishedListFiles } from './published-list-files.js'

/** Public responses of this server as files: produced by the code that answers requests, including its headers. */
export function publishedDocuments(settings: Pick<ServerSettings, 'agent' | 'publicUrl'>): PublicationSource {
  const { agent } = settings
  const lists = new PublishedListFiles(agent)
  const dids = new PublishedDids(settings)
  return {
    headers: Object.fromEntries([...new BaseHeaders().protective, ...Object.entries(PUBLIC)]),
    preflight: PREFLIGHT,
    didAt: (path) => dids.at(path),
    async read(subject, keepVersions) {
      if (subject.kind === 'list') return lists.read(subject, keepVersions)
      if (subject.kind === 'did') return dids.read(subject.did)
      const path = `${LISTS_PATH}/${AGGREGATION}${subject.did === undefined ? '' : `?did=${subject.did}`}`
      const form = fileForm('application/json')
      const file = await answerFile({ path, form }, await aggregationAnswer(path, agent))
      return { files: [file], history: [], gone: [] }
    },
  }
}
