import { encodeEntry } from '../../../stores/sqlite/payload.ts'
import { safeJson } from '../../output/safe-json.ts'
import type { Entry } from '../../../log/entry.ts'

/**
 * An object with a list that may be longer than one string can be, in pieces: each item exactly as
 * in the session, and on its own line.
 */
export function* objectWithList(
  head: Readonly<Record<string, unknown>>,
  name: string,
  items: Iterable<string>,
): Generator<string> {
  yield `${safeJson({ version: 1, ...head }).slice(0, -2)},\n  "${name}": [`
  let before = '\n    '
  for (const item of items) {
    yield before + item
    before = ',\n    '
  }
  yield '\n  ]\n}\n'
}

/** An entry as in an export; bytes, dates and the like are written as they are there. */
export function entryJson({ seq, ...draft }: Entry): string {
  return safeJson(JSON.parse(encodeEntry({ seq, ...draft } as Entry)), 0)
}
