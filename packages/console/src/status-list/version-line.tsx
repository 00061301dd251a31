import { counted, shortened, Time } from '../parts/pieces.js'
import { changesBetween } from './decoded-list.js'
import type { ReadVersion, Version } from './use-versions.js'

interface VersionLineProps {
  versions: readonly Version[]
  read: readonly ReadVersion[]
  /** how many of them are read, or are being read */
  wanted: number
  total: number | undefined
  shown: string | undefined
  onShow: (resourceId: string) => void
  onMore: () => void
}

/** The versions of a list on a line through time, newest first. */
export function VersionLine({ versions, read, wanted, total, shown, onShow, onMore }: VersionLineProps) {
  const listed = versions.slice(0, wanted)
  return (
    <div
      class="line-frame"
      tabIndex={0}
      role="region"
      aria-label="Versions, newest first"
      aria-busy={read.length < wanted}
    >
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
        {wanted < versions.length && (
          <li>
            <button type="button" onClick={onMore}>
              <span class="dot empty" aria-hidden="true" />
              Older versions
              <span class="hint">{counted(versions.length - wanted, 'more', 'more')}</span>
            </button>
          </li>
        )}
        {wanted >= versions.length && total !== undefined && total > versions.length && (
          <li class="hint">
            Older ones are not shown here; use GET /credential-status/versions to list them.
          </li>
        )}
      </ol>
    </div>
  )
}

function changeText(read: readonly ReadVersion[], n: number, total: number | undefined): string {
  const [version, older] = [read[n], read[n + 1]]
  if (n + 1 === total) return 'first version'
  if (!version || !older) return ''
  return counted(changesBetween(older.list.values, version.list.values), 'change')
}
