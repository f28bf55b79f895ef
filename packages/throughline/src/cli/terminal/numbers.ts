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
