import type { PublishedDocument, PublishedFile } from '@vidimus/core-types'
import { isFilePath } from './folder.js'

/** Of precompressed files, as nginx looks for them. */
export const COMPRESSED = '.gz'

/** The path of a form of something. */
export interface PlacedFile {
  /** with the form at its end, from which servers know the media type */
  typed: string
  /** the address itself, for servers that know types otherwise */
  plain?: string
  file: PublishedFile
}

/** Resources are below a DID, and its document is beside it: a folder cannot be a file too. */
export const filePath = (path: string): string =>
  path.replace(/^(1\.0\/identifiers\/[^/]+)\/resources\//, '$1.resources/')

export const typedPath = ({ path, form }: Pick<PublishedFile, 'path' | 'form'>): string =>
  `${filePath(path)}.${form}`

/** The paths of a document's files. Names that are too long for a file system are omitted. */
export function placedFiles({ files }: Pick<PublishedDocument, 'files'>): PlacedFile[] {
  return files.flatMap((file) => {
    const typed = typedPath(file)
    if (!isFilePath(typed + COMPRESSED)) return []
    return [{ typed, file, ...(file.isUsual && { plain: filePath(file.path) }) }]
  })
}
