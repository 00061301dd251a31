// Preloaded into a process (`node --import`): `Date` says another time, as after the clock of the machine was set. By how
// many milliseconds stands in the file CLOCK_OFFSET_FILE, which SIGUSR2 lets it read again. Timers go on as they do when a
// clock is set: they are monotonic.
import { readFileSync } from 'node:fs'

const RealDate = Date
let offset = 0

const read = () => {
  try {
    offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE ?? '', 'utf8'))
  } catch {
    offset = 0
  }
}

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(RealDate.now() + offset).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, newTarget),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + offset : Reflect.get(target, name, receiver),
})

read()
process.on('SIGUSR2', read)
