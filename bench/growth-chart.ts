/** A line of a chart: what is measured at each length. */
export interface Series {
  name: string
  colour: string
  dashed: boolean
  points: { x: number; y: number }[]
}

const WIDTH = 760
const HEIGHT = 420
const FRAME = { left: 70, right: 230, top: 40, bottom: 50 }
const FONT = 'font-family="system-ui, sans-serif" font-size="12" fill="#333"'

/** Draws series over two logarithmic axes, as SVG. */
export function growthChart(title: string, xName: string, yName: string, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const x = scale(
    all.map((point) => point.x),
    FRAME.left,
    WIDTH - FRAME.right,
  )
  const y = scale(
    all.map((point) => point.y),
    HEIGHT - FRAME.bottom,
    FRAME.top,
  )
  const lengths = [...new Set(all.map((point) => point.x))]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${FRAME.left}" y="22" ${FONT} font-weight="bold">${title}</text>`,
    ...y.powers.flatMap((power) => [
      `<line x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${y.at(power)}" y2="${y.at(power)}" stroke="#ddd"/>`,
      `<text x="${FRAME.left - 8}" y="${y.at(power) + 4}" text-anchor="end" ${FONT}>${power.toLocaleString('en')}</text>`,
    ]),
    ...lengths.map(
      (length) =>
        `<text x="${x.at(length)}" y="${HEIGHT - FRAME.bottom + 20}" text-anchor="middle" ${FONT}>${length.toLocaleString('en')}</text>`,
    ),
    `<text x="${(FRAME.left + WIDTH - FRAME.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle" ${FONT}>${xName}</text>`,
    `<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle" ${FONT}>${yName}</text>`,
    ...series.flatMap((line, n) => drawn(line, n, x.at, y.at)),
    '</svg>',
    '',
  ].join('\n')
}

function drawn(
  { name, colour, dashed, points }: Series,
  n: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string[] {
  const style = `fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}`
  const left = WIDTH - FRAME.right + 20
  const top = FRAME.top + 10 + n * 22
  return [
    `<polyline points="${points.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')}" ${style}/>`,
    ...points.map((point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3" fill="${colour}"/>`),
    `<line x1="${left}" x2="${left + 28}" y1="${top}" y2="${top}" ${style}/>`,
    `<text x="${left + 36}" y="${top + 4}" ${FONT}>${name}</text>`,
  ]
}

/** A logarithmic axis from the power of ten below the least value to the one above the greatest. */
function scale(values: readonly number[], from: number, to: number) {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))
  const at = (value: number) =>
    Math.round((from + ((Math.log10(value) - least) / (most - least)) * (to - from)) * 10) / 10
  return { at, powers: Array.from({ length: most - least + 1 }, (_, n) => 10 ** (least + n)) }
}
