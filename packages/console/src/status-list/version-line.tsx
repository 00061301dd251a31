import { counted, shortened, Time } from '../parts/pieces.js'
import { changesBetween } from './decoded-list.js'
import type { ReadVersion, Version } from './use-versions.js'

interface VersionLineProps {
  versions: readonly Version[]
  read: readonly ReadVersion[]
  total: number
  shown: string | undefined
  onShow: (resourceId: string) => void
  onMore: () => void
}

/** The versions of a list on a line through time, newest first. */
export function VersionLine({ versions, read, total, shown, onShow, onMore }: VersionLineProps) {
  const listed = read.length > 0 ? versions.slice(0, read.length) : versions.slice(0, 24)
  return (
    <div class="line-frame" tabIndex={0} role="region" aria-label="Versions, newest first">
      <ol class="line">
        {listed.map(({ resourceId, created, resourceVersion }, n) => (
          <li key={resourceId}>
            <button
              type="button"
              aria-current={resourceId === shown ? 'true' : undefined}
              onClick={() => onShow(resourceId)}
            >
              <span class="dot" aria-hidden="true" />
              <Time at={created} />
              <span class="hint">
                {resourceVersion !== '' && `${shortened(resourceVersion, 20)} · `}
                {changeText(read, n, total)}
              </span>
            </button>
          </li>
        ))}
        {read.length > 0 && read.length < versions.length && (
          <li>
            <button type="button" onClick={onMore}>
              <span class="dot empty" aria-hidden="true" />
              Older versions
              <span class="hint">{counted(total - read.length, 'more', 'more')}</span>
            </button>
          </li>
        )}
      </ol>
    </div>
  )
}

function changeText(read: readonly ReadVersion[], n: number, total: number): string {
  const [version, older] = [read[n], read[n + 1]]
  if (n === total - 1) return 'first version'
  if (!version || !older) return ''
  return counted(changesBetween(older.list.values, version.list.values), 'change')
}
