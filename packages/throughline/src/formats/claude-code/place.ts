import { ownFolder } from '../own-folder.ts'
import type { SessionPlace } from '../harness.ts'

/** `projects/<the directory, flattened>/<session>.jsonl`. */
export const claudeCodePlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'CLAUDE_CONFIG_DIR',
      names: ['.claude'],
      behind: ['projects'],
    }),
  // Its subagents are one folder deeper, or beside it in files of such names.
  sessionIn: (relativePath) => /^[^/]+\/(?!agent-)([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session, directory }) => `${slugOf(directory)}/${session}.jsonl`,
  resume: ({ session }) => [['claude', '--resume', session]],
}

// File systems take no longer names; Claude Code resumes a session from whatever folder it is in.
const longestSlug = 200

function slugOf(directory: string): string {
  return directory.slice(0, longestSlug).replace(/[^a-zA-Z0-9]/g, '-')
}
