// With `--import`: the modules that a process has loaded are in the file LOADED_MODULES once it ends, one a line.
import { writeFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { isMainThread, MessageChannel, receiveMessageOnPort } from 'node:worker_threads'

const hooks = `
let port
export const initialize = (given) => { port = given }
export async function load(url, context, next) {
  port.postMessage(url)
  return next(url, context)
}`

if (isMainThread) probe()

function probe() {
  const { port1, port2 } = new MessageChannel()
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: port2, transferList: [port2] })
  port1.unref()

  process.on('exit', () => {
    const loaded = new Set(Object.keys(createRequire(import.meta.url).cache))
    for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1)) {
      loaded.add(next.message.replace(/^file:\/\//, ''))
    }
    const files = [...loaded].filter((each) => each.startsWith('/'))
    writeFileSync(process.env.LOADED_MODULES, `${files.join('\n')}\n`)
  })
}
