import { adding, emptying, lastPlace, makeSegment, newestSegment, storedAt } from './segments.ts'
import { StoreFailedError } from './errors.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import type { Connection } from './connection/reading-connection.ts'
import type { Statements } from './statements.ts'

// As many rows, or pages, as are written in a few milliseconds; and as many empty rows.
const few = 100
const many = 1_000
// Characters.
const much = 500_000

/** A segment of which this share was emptied is given up. */
const share = 1 / 4

/**
 * Returns to the disk what was removed from the store, a little at a time: others can write in
 * between, and what is interrupted is continued by the next who removes something. What a segment
 * still holds moves to the end of the newest one.
 */
export async function giveBack(connection: Connection, isFull: boolean): Promise<void> {
  const turn = timeSlices()
  // On a full disk there is no room to move anything.
  if (!isFull) {
    const moved: Moved = { segment: 0, upTo: 0 }
    while (await connection.write((statements) => giveUpSome(statements, moved))) await turn()
  }
  while (await connection.write(vacuumSome)) {
    if (isFull) await connection.leaveNoTrace()
    await turn()
  }
}

/** The segment that is given up, and up to where it is empty. */
interface Moved {
  segment: number
  upTo: number
}

/** Returns whether there may be more to do. */
function giveUpSome(statements: Statements, moved: Moved): boolean {
  const segment = muchEmptied(statements)
  if (segment === undefined) return false
  if (segment === newestSegment(statements)) makeSegment(statements, segment + 1)
  if (segment !== moved.segment) Object.assign(moved, { segment, upTo: 0 })
  if (!moveSome(statements, moved)) dropSome(statements, segment)
  return true
}

function muchEmptied(statements: Statements): number | undefined {
  const rows = statements.all('SELECT number, emptied FROM segments WHERE emptied > 0')
  return rows
    .map((row) => ({ number: Number(row['number']), emptied: Number(row['emptied']) }))
    .find(({ number, emptied }) => emptied >= lastPlace(statements, number) * share)?.number
}

/** Returns whether there was anything left to move. */
function moveSome(statements: Statements, moved: Moved): boolean {
  const { segment } = moved
  const rows = statements.all(
    `SELECT place FROM segment_${segment} WHERE place > ? AND session <> 0
     ORDER BY place LIMIT ${few}`,
    moved.upTo,
  )
  const { empty, count } = emptying(statements)
  const add = adding(statements)
  let characters = 0
  for (const row of rows) {
    if (characters >= much) break
    const from = { segment, place: Number(row['place']) }
    const stored = storedAt(statements, from)
    // A damaged table may be endless.
    if (!stored || from.place <= moved.upTo) throw damaged(statements)
    moved.upTo = from.place
    characters += stored.text.length
    const to = add(stored)
    empty(stored.session, [from])
    // Where no entry is known to be there, the text is kept nevertheless.
    statements.run(
      `UPDATE places SET segment = ?, place = ?
       WHERE session = ? AND seq = ? AND segment = ? AND place = ?`,
      to.segment,
      to.place,
      stored.session,
      stored.seq,
      segment,
      from.place,
    )
  }
  count()
  return rows.length > 0
}

/**
 * Everything in it is empty: SQLite may move rows now, and there is nothing on its pages to zero.
 */
function dropSome(statements: Statements, segment: number): void {
  statements.exec('PRAGMA secure_delete = FAST')
  try {
    const last = lastPlace(statements, segment)
    const gone = statements.run(`DELETE FROM segment_${segment} WHERE place > ?`, last - many)
    if (last > 0 && gone === 0) throw damaged(statements)
    if (last > many) return
    statements.exec(`DROP TABLE segment_${segment}`)
    statements.run('DELETE FROM segments WHERE number = ?', segment)
  } finally {
    statements.exec('PRAGMA secure_delete = ON')
  }
}

function damaged({ file }: Statements): StoreFailedError {
  return new StoreFailedError({ file, failure: 'damaged' })
}

/** Returns whether there is less free space than before. */
function vacuumSome(statements: Statements): boolean {
  const before = freePages(statements)
  if (before === 0) return false
  statements.exec(`PRAGMA incremental_vacuum(${few})`)
  return freePages(statements) < before
}

function freePages(statements: Statements): number {
  return Number(statements.get('PRAGMA freelist_count')?.['freelist_count'])
}
