const two = (number: number) => String(number).padStart(2, '0')

/** A time in the zone of the reader, in the order in which times compare: `2027-01-31 12:00:00`. */
export function localTime(time: Date): string {
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}
