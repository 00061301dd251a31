import {
  LISTS_PATH,
  hashListId,
  listUrl,
  type KeptVersion,
  type LinkedResourceMetadata,
  type PublishedDocument,
  type PublishedFile,
  type StatusListLocation,
} from '@vidimus/core-types'
import { cacheControlOfCopy, IMMUTABLE } from '../identifiers/cache-control.js'
import { IDENTIFIERS_PATH } from '../identifiers/identifiers-route.js'
import { ListVersions } from '../published-lists/list-versions.js'
import { isWorthCompressing, type ListVersion } from '../published-lists/prepared-list.js'
import type { ServiceAgent } from '../service-agent.js'
import { fileForm } from './answer-file.js'

/** Versions beyond the retained ones that may still exist from before the newest version. */
const LOOKED_BEHIND = 50

/** Lists in every form, at both of their addresses, with older versions. */
export class PublishedListFiles {
  private readonly versions: ListVersions

  constructor(private readonly agent: ServiceAgent) {
    this.versions = new ListVersions(agent)
  }

  /** @returns `undefined` if it is not a list */
  async read(location: StatusListLocation, keepVersions: number): Promise<PublishedDocument | undefined> {
    const version = await this.versions.find(location)
    if (!version) return undefined
    const { resourceId, created } = version.metadata
    const id = hashListId(location)
    const path = `${LISTS_PATH.slice(1)}/${id}`
    const located = await this.agent.statusListLocate({ statusListId: id })
    const [usual = '', ...others] = version.mediaTypes
    const cacheControl = cacheControlOfCopy(version.delivery, new Date(created))
    const formed = (mediaType: string): Promise<PublishedFile | undefined> =>
      this.file(location, version, { path, mediaType, cacheControl, isUsual: mediaType === usual })
    const published = await formed(usual)
    if (!published) return undefined
    const further = await Promise.all(others.map(formed))
    const byDidUrl = { ...published, path: `${IDENTIFIERS_PATH.slice(1)}/${listUrl(location)}` }
    return {
      version: { id: resourceId, time: new Date(created).toISOString() },
      files: [published, ...further.filter((file) => file !== undefined), byDidUrl],
      ...(await this.history(location, fileForm(usual), keepVersions)),
      isIdentity: located?.url !== undefined,
    }
  }

  private async file(
    location: StatusListLocation,
    version: ListVersion,
    { mediaType, ...said }: Pick<PublishedFile, 'path' | 'cacheControl' | 'isUsual'> & { mediaType: string },
  ): Promise<PublishedFile | undefined> {
    const body = await this.versions.body(location, version, { mediaType, gzipped: false })
    if (!body) return undefined
    const compressed = isWorthCompressing(mediaType)
      ? await this.versions.body(location, version, { mediaType, gzipped: true })
      : undefined
    const form = fileForm(mediaType)
    return { ...said, form, contentType: mediaType, body, ...(compressed && { compressed }) }
  }

  private async history(
    location: StatusListLocation,
    form: string,
    keepVersions: number,
  ): Promise<Pick<PublishedDocument, 'history' | 'gone'>> {
    if (keepVersions === 0) return { history: [], gone: [] }
    const { did, statusListName: resourceName, resourceType } = location
    const { versions } = await this.agent.linkedResourceListVersions({
      did,
      resourceName,
      resourceType,
      limit: Math.min(keepVersions + LOOKED_BEHIND, 1000),
    })
    const kept = versions.map((metadata) => this.keptVersion(location, form, metadata))
    return { history: kept.slice(0, keepVersions), gone: kept.slice(keepVersions) }
  }

  private keptVersion(
    location: StatusListLocation,
    form: string,
    metadata: LinkedResourceMetadata,
  ): KeptVersion {
    const path = `${IDENTIFIERS_PATH.slice(1)}/${location.did}/resources/${metadata.resourceId}`
    return {
      path,
      form,
      read: async () => {
        const version = await this.versions.version(location.did, metadata)
        const [mediaType] = version?.mediaTypes ?? []
        if (!version || mediaType === undefined) return undefined
        return this.file(location, version, { path, mediaType, cacheControl: IMMUTABLE, isUsual: true })
      },
    }
  }
}
