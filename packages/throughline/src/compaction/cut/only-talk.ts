import type { Unit } from '../../log/steps.ts'

/**
 * The units of turns before `end` in which nobody called anything: the summary tells what was said
 * there, and what calls brought is seen in the tail alone. They stay where those leave room.
 */
export function onlyTalk(units: readonly Unit[], end: number): ReadonlySet<Unit> {
  const talk = new Set<Unit>()
  let last = end
  for (let at = end - 1; at >= 0; at--) {
    if (units[at]?.type !== 'human') continue
    const turn = units.slice(at, last)
    if (turn.every((unit) => unit.type !== 'step' || unit.calls.length === 0)) {
      for (const unit of turn) talk.add(unit)
    }
    last = at
  }
  return talk
}
