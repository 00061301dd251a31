import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sample } from '../test/trials/soak/samples.js'
import { residentMemory } from '../test/trials/soak/verdict.js'
import { courseChart, type Series } from './chart.js'

/*
 * Draws the curves of docs/measurements/scale.md from what `npm run trials -- --only soak --samples FILE` has kept, and prints the rows of its
 * table: node --import tsx bench/soak-charts.ts FILE... Files are named like the runs: "node-20-sqlite.csv".
 */

const DOCS = join(import.meta.dirname, '../docs/measurements')
const COLOURS = ['#2166ac', '#b2182b', '#1b7837', '#e08214', '#762a83', '#4d4d4d']

interface Run {
  name: string
  samples: Sample[]
}

const runs = process.argv.slice(2).map((file): Run => ({
  name: basename(file, '.csv').replaceAll('-', ' '),
  samples: read(file),
}))
assert.notEqual(runs.length, 0, 'name the files of samples')
draw('soak-resident.svg', 'Resident memory during an hour of load', 'rssMb')
draw('soak-uncounted.svg', 'Heap and buffers, without what caches count', 'uncountedMb')
for (const run of runs) process.stdout.write(`${row(run)}\n`)

function read(file: string): Sample[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const columns = head.split(',')
  return lines.map((line) => {
    const values = line.split(',').map(Number)
    return Object.fromEntries(columns.map((column, n) => [column, values[n]])) as unknown as Sample
  })
}

function draw(file: string, title: string, column: 'rssMb' | 'uncountedMb'): void {
  const series = runs.map(({ name, samples }, n): Series => ({
    name,
    colour: COLOURS[n % COLOURS.length] ?? '#000',
    dashed: name.includes('postgresql'),
    points: samples.map((sample) => ({ x: sample.minutes, y: sample[column] })),
  }))
  writeFileSync(join(DOCS, file), courseChart({ title, x: 'minutes', y: 'MB' }, series))
}

function row({ name, samples }: Run): string {
  const last = samples.at(-1)
  const resident = residentMemory(samples)
  assert.ok(last && resident, `${name} did not last long enough`)
  const { settled } = resident
  const early = samples.find(({ minutes }) => minutes >= 10) ?? settled
  const most = (column: keyof Sample) => Math.max(...samples.map((sample) => sample[column]))
  const pair = (column: keyof Sample) => `${settled[column].toFixed(0)}, ${last[column].toFixed(0)}`
  const cells = [
    name,
    last.requests.toLocaleString('en'),
    `${early.rssMb.toFixed(0)}, ${settled.rssMb.toFixed(0)}, ${resident.last.toFixed(0)}`,
    (resident.last / early.rssMb).toFixed(2),
    resident.ratio.toFixed(2),
    pair('cachesMb'),
    pair('uncountedMb'),
    pair('handles'),
    pair('files'),
    most('slots'),
    most('walMb').toFixed(0),
  ]
  return `| ${cells.join(' | ')} |`
}
