import { resolve } from 'node:path'
import { judgeFolder, OWN_CASES, sentenceOf } from './golden.js'

const [folder = OWN_CASES] = process.argv.slice(2)
const report = await judgeFolder(resolve(process.env.INIT_CWD ?? '', folder))
for (const { file, name, differences } of report.disagreements) {
  for (const difference of differences) process.stdout.write(`${file}: ${name}: ${difference}\n`)
}
process.stdout.write(`${sentenceOf(report)}\n`)
process.exit(report.disagreements.length > 0 ? 1 : 0)
