/** A point in time, in milliseconds since 1970, as a date; today's times as a time of day. */
export function whenText(at: number, now: number): string {
  const time = new Date(at)
  // Sessions without times, or with impossible ones.
  if (at <= 0 || !(time.getFullYear() < 10_000)) return '–'
  return dayOf(time) === dayOf(new Date(now)) ? hourOf(time) : dayOf(time)
}

function dayOf(time: Date): string {
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}

function hourOf(time: Date): string {
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
