// npm run generate: what is made from the API document. Needs no running service and no network.
import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './generated/generated-files.js'

for (const { file, text } of await generatedFiles()) await writeFile(file, text)
