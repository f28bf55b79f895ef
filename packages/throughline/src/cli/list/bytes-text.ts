const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** A size of a file in three digits: `4.2 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`
}
