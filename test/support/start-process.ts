// A process that starts the service again and again, for starts that fail: loading it all costs a second each time.
import { commandHere } from './command-here.js'

process.setMaxListeners(0)
process.on('disconnect', () => process.exit())
process.on('message', ({ args, environment }: StartRequest) => {
  void commandHere(args, environment).then((outcome) => process.send?.(outcome))
})

export interface StartRequest {
  args: readonly string[]
  environment: Record<string, string | undefined>
}
