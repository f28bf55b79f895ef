import type { Unit } from '../../log/steps.ts'

/**
 * The units of turns before the last `turns` in which nobody called anything: the summary tells what
 * was said there, and what calls brought is seen in the tail alone. They stay where those leave room.
 */
export function onlyTalk(units: readonly Unit[], turns: number): ReadonlySet<Unit> {
  const humans = units.flatMap(({ type }, at) => (type === 'human' ? [at] : []))
  const talk = new Set<Unit>()
  let last = humans.at(-Math.max(Math.trunc(turns), 1)) ?? 0
  for (const at of humans.toReversed()) {
    if (at >= last) continue
    const turn = units.slice(at, last)
    if (turn.every((unit) => unit.type !== 'step' || unit.calls.length === 0)) {
      for (const unit of turn) talk.add(unit)
    }
    last = at
  }
  return talk
}
