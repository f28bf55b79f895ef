import { shownValue } from '../../config/check/place.ts'
import type { InForce } from './in-force.ts'

/** Where a value comes from, for a reader; `preset` is where those come from that nobody set. */
export function sourceText(row: InForce, preset: string): string {
  const limit = row.limit === undefined ? '' : `; ${row.limit} leaves no more`
  return setBy(row, preset) + limit
}

function setBy({ key, value, setting }: InForce, preset: string): string {
  if (!setting) return /^policy\.|^protectedTools$/.test(key) ? preset : 'default'
  const { from } = setting
  if (from.type === 'default') return 'default'
  if (from.type !== 'file') return from.name
  const own = setting.key === key ? '' : `${setting.key} `
  const given = typeof setting.given === 'string' && setting.given !== value
  return `${own}${given ? `${shownValue(setting.given)} ` : ''}in ${from.file.shown}`
}
