/** A whole number with thousands separators: `12,345`. */
export function withThousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** A share as a percentage; only nothing is shown as 0%, and only everything as 100%. */
export function percent(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%'
  const share = (part / whole) * 100
  if (share < 1) return '<1%'
  return share > 99 && share < 100 ? '99%' : `${Math.round(share)}%`
}

/** `1 step`, `2 steps`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${withThousands(count)} ${count === 1 ? one : several}`
}

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

/** An amount of money in four digits or fewer: `$0.42`, `$12.30`, `$412`. */
export function dollarText(dollars: number): string {
  if (dollars > 0 && dollars < 0.005) return '<$0.01'
  return dollars >= 999.5
    ? `$${Math.round(dollars)}`
    : `$${dollars.toFixed(dollars >= 99.95 ? 0 : 2)}`
}

/** An amount of money with two digits that say something: `$0.013`, `$1.20`. */
export function smallDollarText(dollars: number): string {
  if (dollars >= 0.1 || dollars === 0) return `$${dollars.toFixed(2)}`
  return dollars < 0.0001 ? '<$0.0001' : `$${Number(dollars.toPrecision(2))}`
}
