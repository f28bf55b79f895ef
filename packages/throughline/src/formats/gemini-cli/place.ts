import { ownFolder } from '../writing/own-folder.ts'
import type { SessionPlace } from '../writing/harness.ts'

/** `tmp/<project>/chats/session-<time>-<first part of the session>.jsonl`. */
export const geminiCliPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'GEMINI_CLI_HOME',
      names: [],
      behind: ['.gemini', 'tmp'],
    }),
  sessionIn: (relativePath) =>
    /^[^/]+\/chats\/session-(?:[\dT-]+-)?([^/]+)\.jsonl?$/.exec(relativePath)?.[1],
  // It takes a session from any file, and alone knows by which name it calls a project.
  placeFor: () => undefined,
  resume: ({ file }) => [['gemini', '--session-file', file]],
}
