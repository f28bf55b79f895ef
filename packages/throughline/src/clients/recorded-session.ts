import { askedIn } from './asked.ts'
import { openSession, type Session } from '../session/session.ts'
import { windowOf } from '../tokens/windows.ts'
import type { Window } from '../tokens/window.ts'
import type { StoredIn } from '../integrations/mcp/recall-source.ts'

type Environment = Readonly<Record<string, string | undefined>>

const usualWindow = { context: 200_000 }

function windowOfModel(model: string | undefined): Window {
  return (model !== undefined && windowOf(model)) || usualWindow
}

/** What its client calls it. */
export function ownIdOf({ own, session }: StoredIn): string {
  return own ?? session
}

/** A session out of its client's record, with what is pinned there: that file holds none of it. */
export async function recordedSession(
  found: StoredIn,
  client: string,
  env: Environment,
): Promise<Session> {
  const { store, session: id, window: recorded } = found
  const newest = (await store.read(id, { kinds: ['message'] })).findLast(
    (entry) => entry.kind === 'message' && entry.model !== undefined,
  )
  const model = newest?.kind === 'message' ? newest.model : undefined
  const session = await openSession({
    store,
    id,
    window: recorded === undefined ? windowOfModel(model) : { context: recorded },
    ...(model !== undefined && { model }),
  })
  const known = new Set([...session.context().pins.values()].map(({ text }) => text))
  for (const pin of askedIn(client, env, { session: ownIdOf(found) }).pins) {
    if (!known.has(pin)) await session.pin(pin)
  }
  return session
}
