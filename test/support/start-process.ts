// A process that runs commands again and again, such as starts that fail: loading it all costs a second each time.
import { commandHere } from './command-here.js'

process.setMaxListeners(0)
process.on('disconnect', () => process.exit())
process.on('message', ({ args, environment, cwd }: StartRequest) => {
  if (cwd !== undefined) process.chdir(cwd)
  void commandHere(args, environment).then((outcome) => process.send?.(outcome))
})

export interface StartRequest {
  args: readonly string[]
  environment: Record<string, string | undefined>
  /** left out: where it is */
  cwd?: string
}
