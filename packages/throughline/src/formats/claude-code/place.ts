import { ownFolder } from '../writing/own-folder.ts'
import type { SessionPlace } from '../writing/harness.ts'

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

const longestSlug = 200

/** Cut where it is too long for a file system, with a number behind it that tells such ones apart. */
function slugOf(directory: string): string {
  const slug = directory.replace(/[^a-zA-Z0-9]/g, '-')
  if (slug.length <= longestSlug) return slug
  return `${slug.slice(0, longestSlug)}-${Math.abs(hashOf(directory)).toString(36)}`
}

function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  }
  return hash
}
