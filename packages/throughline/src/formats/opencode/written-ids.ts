import type { Identity } from '../writing/format-writer.ts'

/** Makes an id behind all that it made before: opencode sorts by them. */
export type NextId = (kind: 'msg' | 'prt') => string

/** Before the ids that opencode itself will make, however many are asked for here. */
const ahead = 60_000
const perMillisecond = 4096n

export function ascendingIds({ now, newId }: Identity): NextId {
  let time = BigInt(Math.max(0, now - ahead)) * perMillisecond
  return (kind) => {
    time += 1n
    const hex = BigInt.asUintN(48, time).toString(16).padStart(12, '0')
    return `${kind}_${hex}${newId().replaceAll('-', '').slice(-14)}`
  }
}

export function sessionId({ session }: Identity): string {
  return `ses_${session.replaceAll('-', '').slice(0, 26)}`
}
