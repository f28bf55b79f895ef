import { rowOf, type Found, type Mark, type World } from '../store/gateway-store.ts'
import type { Query } from './migrations.ts'

/** How many marks are asked for first. */
export const firstMarks = 16

/** Finds by two primary keys, one lookup for each mark: the same cost however many sessions there are. */
export const findStatement = `
SELECT s.id, s.world, s.instructions, s.model, s.created, s.used, m.mark, m.request = s.request AS newest
FROM unnest($2::text[]) WITH ORDINALITY AS wanted(mark, place)
JOIN $schema.marks AS m ON m.world = $1 AND m.mark = wanted.mark
JOIN $schema.sessions AS s ON s.id = m.session
ORDER BY wanted.place, newest DESC, s.used DESC
LIMIT 1`

export async function findSession(
  query: Query,
  world: World,
  marks: readonly Mark[],
): Promise<Found | undefined> {
  const [row] = await query(findStatement, [world, marks])
  return row && { session: rowOf(row), mark: row['mark'] as Mark, newest: row['newest'] === true }
}
