import type { SessionPlace } from '../writing/harness.ts'

/** A database of opencode's own: sessions go in by a document, and come out by `opencode export`. */
export const opencodePlace: SessionPlace = {
  roots: () => [],
  sessionIn: () => undefined,
  placeFor: () => undefined,
  resume: ({ session, file }) => [
    ['opencode', 'import', file],
    ['opencode', '--session', session],
  ],
}
