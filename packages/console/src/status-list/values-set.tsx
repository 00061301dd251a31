import { counted } from '../parts/pieces.js'
import { countValues, setIn, type DecodedList } from './decoded-list.js'
import { entryMeaning } from './entry-meaning.js'
import { toneClass } from './tones.js'
import type { ReadVersion } from './use-versions.js'

const [WIDTH, HEIGHT] = [320, 84]

/** The values of a list's entries, and how they came about. */
export function ValuesSet({ list, read }: { list: DecodedList; read: readonly ReadVersion[] }) {
  const counts = countValues(list.values)
  const entries = list.values.length
  return (
    <div class="values-set">
      <dl class="legend">
        {[...counts].map(([value, count]) => {
          const { text, tone } = entryMeaning(list.layout, value)
          return (
            <div key={value}>
              <dt>
                <svg class={`swatch ${toneClass(tone, value)}`} viewBox="0 0 10 10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" />
                </svg>
                {text}
              </dt>
              <dd>
                {count.toLocaleString('en')} <span class="hint">({percent(count, entries)})</span>
              </dd>
            </div>
          )
        })}
      </dl>
      {read.length > 1 && <ValuesChart read={read} />}
    </div>
  )
}

function ValuesChart({ read }: { read: readonly ReadVersion[] }) {
  const levels = read.map(({ list }) => setIn(countValues(list.values))).reverse()
  const most = Math.max(1, ...levels)
  const [first = 0, last = 0] = [levels[0], levels.at(-1)]
  const step = WIDTH / levels.length
  const y = (level: number) => HEIGHT - 6 - (level / most) * (HEIGHT - 22)
  const path = levels
    .map((level, n) => `${n === 0 ? 'M0' : `L${n * step}`} ${y(level)} L${(n + 1) * step} ${y(level)}`)
    .join(' ')
  const label = `Entries that are set: ${first} in the oldest, ${last} in the newest of ${levels.length} versions`
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <path class="chart-area" d={`${path} L${WIDTH} ${HEIGHT - 6} L0 ${HEIGHT - 6} Z`} />
        <path class="chart-line" d={path} />
        <line class="chart-base" x1="0" x2={WIDTH} y1={HEIGHT - 6} y2={HEIGHT - 6} />
        <text class="chart-text" x="2" y="11">
          {most.toLocaleString('en')}
        </text>
      </svg>
      <figcaption class="hint">Entries that are set, over {counted(levels.length, 'version')}</figcaption>
    </figure>
  )
}

function percent(count: number, of: number): string {
  const share = (100 * count) / Math.max(1, of)
  if (count > 0 && share < 0.01) return '< 0.01 %'
  return `${share.toLocaleString('en', { maximumFractionDigits: 2 })} %`
}
