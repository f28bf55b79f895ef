import type { Room } from './room.ts'

/** Tries are cheap, and each comes nearer: six leave less than a line unused. */
const rounds = 6

/**
 * The longest list of names that fits into what is left. Only the lines as a whole can be
 * counted, so their number is found by trying: each round corrects by what the last one
 * cost. `room` has paid for the lines without names already.
 */
export function namesWithin(
  room: Room,
  all: number,
  linesOf: (names: number) => readonly string[],
): readonly string[] {
  // A name has eight characters or more, and takes a token at least.
  const most = Math.min(all, Math.max(room.left, 0))
  const bare = linesOf(0)
  const paid = costOf(bare)
  let best = bare
  let fits = 0
  let tooMany = most + 1
  let names = most
  for (let round = 0; round < rounds && tooMany - fits > 1; round++) {
    const tried = linesOf(names)
    const cost = costOf(tried) - paid
    if (cost <= room.left) {
      best = tried
      fits = names
    } else {
      tooMany = names
    }
    const guess = Math.floor((names * Math.max(room.left, 0)) / Math.max(cost, 1))
    names = guess > fits && guess < tooMany ? guess : Math.floor((fits + tooMany) / 2)
  }
  return best

  function costOf(lines: readonly string[]): number {
    return lines.length === 0 ? 0 : room.cost(lines.join('\n'))
  }
}
