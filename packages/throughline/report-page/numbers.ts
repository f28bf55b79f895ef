/** A whole number with thousands separators: `12,345`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `12.3k`, `1.2M`: as exact as a glance can be. */
export function short(value: number): string {
  const size = Math.abs(value)
  if (size < 1000) return String(Math.round(value))
  if (size < 999_500) return `${trimmed(value / 1000, size < 9950 ? 1 : 0)}k`
  return `${trimmed(value / 1_000_000, size < 9_950_000 ? 1 : 0)}M`
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.0$/, '')
}

/** `$0.013`, `$1.20`: two digits that say something. */
export function dollars(amount: number): string {
  if (amount >= 0.1 || amount === 0) {
    return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
  }
  return amount < 0.0001 ? '<$0.0001' : `$${Number(amount.toPrecision(2))}`
}

/** Only nothing is 0%, and only everything 100%. */
export function percent(part: number, all: number): string {
  if (all <= 0 || part <= 0) return '0%'
  const share = (part / all) * 100
  if (share < 1) return '<1%'
  return share > 99 && share < 100 ? '99%' : `${Math.round(share)}%`
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : several}`
}

/** The time of day, with the date in front. */
export function moment(at: number): string {
  if (at <= 0) return 'no time'
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** `2 h 14 min`. */
export function span(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}
