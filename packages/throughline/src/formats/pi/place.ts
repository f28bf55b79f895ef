import { ownFolder } from '../writing/own-folder.ts'
import type { SessionPlace } from '../writing/harness.ts'

/** `sessions/--<the directory, flattened>--/<time>_<session>.jsonl`. */
export const piPlace: SessionPlace = {
  roots(surroundings) {
    const { variables, path } = surroundings
    const named = variables['PI_CODING_AGENT_SESSION_DIR']
    if (named !== undefined && path.isAbsolute(named)) return [path.normalize(named)]
    const names = ['.pi', 'agent']
    return ownFolder(surroundings, {
      variable: 'PI_CODING_AGENT_DIR',
      names,
      behind: ['sessions'],
    })
  },
  sessionIn: (relativePath) =>
    /^(?:[^/]+\/)?(?:[\dTZ-]{20,24}_)?([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor({ session, directory, now }) {
    const time = new Date(now).toISOString().replace(/[:.]/g, '-')
    return `${slugOf(directory)}/${time}_${session}.jsonl`
  },
  // By its file: an id of another directory's session makes pi ask first.
  resume: ({ file }) => [['pi', '--session', file]],
}

// File systems take no longer names; pi goes on from the file, whatever folder it is in.
const longestSlug = 200

function slugOf(directory: string): string {
  const slug = directory.slice(0, longestSlug).replace(/^[/\\]/, '')
  return `--${slug.replace(/[/\\:\0]/g, '-')}--`
}
