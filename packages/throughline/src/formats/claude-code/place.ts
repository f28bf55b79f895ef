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
  // Its subagents are one folder deeper.
  isSession: (relativePath) => /^[^/]+\/[^/]+\.jsonl$/.test(relativePath),
  placeFor: ({ session, directory }) => `${slugOf(directory)}/${session}.jsonl`,
  resume: ({ session }) => [['claude', '--resume', session]],
}

function slugOf(directory: string): string {
  return directory.replace(/[^a-zA-Z0-9]/g, '-')
}
