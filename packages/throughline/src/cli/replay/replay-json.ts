import { retainedIn } from '../retained.ts'
import type { SessionInput } from '../input/read-input.ts'
import type { WindowChoice } from '../window-choice.ts'
import type { ReplayEnd } from './replay-session.ts'

/** The object of `replay --json`. */
export function replayJson(
  session: SessionInput,
  { window, from }: WindowChoice,
  { replay, usable, messages, index, error }: ReplayEnd,
) {
  return {
    version: 1,
    session: {
      name: session.name,
      format: session.format,
      id: session.facts.id ?? null,
      model: session.facts.model ?? null,
    },
    window: { ...window, from, usable },
    complete: error === undefined,
    steps: { done: replay.done, of: replay.of },
    compactions: replay.compactions,
    requests: replay.requests,
    tokens: {
      sent: replay.sent,
      uncompacted: replay.uncompacted,
      saved: replay.uncompacted - replay.sent,
    },
    largest: replay.largest,
    retained: retainedIn(messages, index),
    skipped: { count: session.skippedCount, lines: session.skipped },
  }
}
