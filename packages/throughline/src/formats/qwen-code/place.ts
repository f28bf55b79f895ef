import { ownFolder } from '../writing/own-folder.ts'
import type { SessionPlace } from '../writing/harness.ts'

/** `projects/<the directory, flattened>/chats/<session>.jsonl`. */
export const qwenCodePlace: SessionPlace = {
  roots(surroundings) {
    const { variables, path } = surroundings
    const runtime = variables['QWEN_RUNTIME_DIR']
    const variable =
      runtime !== undefined && path.isAbsolute(runtime) ? 'QWEN_RUNTIME_DIR' : 'QWEN_HOME'
    return ownFolder(surroundings, { variable, names: ['.qwen'], behind: ['projects'] })
  },
  sessionIn: (relativePath) => /^[^/]+\/chats\/([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session, directory }) => `${slugOf(directory)}/chats/${session}.jsonl`,
  resume: ({ session }) => [['qwen', '--resume', session]],
}

function slugOf(directory: string): string {
  // So it is on Windows alone, where paths begin with a drive.
  const known = /^[a-z]:[\\/]/i.test(directory) ? directory.toLowerCase() : directory
  return known.replace(/[^a-zA-Z0-9]/g, '-')
}
