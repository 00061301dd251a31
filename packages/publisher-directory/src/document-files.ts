import type { PublishedDocument, PublishedFile } from '@vidimus/core-types'
import { isFilePath } from './folder.js'

/** Of precompressed files, as nginx looks for them. */
export const COMPRESSED = '.gz'

/** Where a form of something lies. */
export interface PlacedFile {
  /** with the form at its end, from which servers know the media type */
  typed: string
  /** the address itself, for servers that know types otherwise */
  plain?: string
  file: PublishedFile
}

/** Below a DID there are resources, and beside it its document: what is a folder cannot be a file too. */
export const filePath = (path: string): string =>
  path.replace(/^(1\.0\/identifiers\/[^/]+)\/resources\//, '$1.resources/')

export const typedPath = ({ path, form }: Pick<PublishedFile, 'path' | 'form'>): string =>
  `${filePath(path)}.${form}`

/** Where the files of a document lie. What has too long a name for a file system is left out. */
export function placedFiles({ files }: Pick<PublishedDocument, 'files'>): PlacedFile[] {
  return files.flatMap((file) => {
    const typed = typedPath(file)
    if (!isFilePath(typed + COMPRESSED)) return []
    return [{ typed, file, ...(file.isUsual && { plain: filePath(file.path) }) }]
  })
}
