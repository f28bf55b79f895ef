import { ownFolder } from '../writing/own-folder.ts'
import type { SessionPlace } from '../writing/harness.ts'

/** `sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`. */
export const codexPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, { variable: 'CODEX_HOME', names: ['.codex'], behind: ['sessions'] }),
  sessionIn: (relativePath) =>
    /^\d+\/\d+\/\d+\/rollout-(?:[\dT-]{19}-)?([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor({ session, now }) {
    const time = new Date(now).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
    const [year, month, day] = time.slice(0, 'yyyy-mm-dd'.length).split('-')
    return `${year}/${month}/${day}/rollout-${time.replaceAll(':', '-')}-${session}.jsonl`
  },
  resume: ({ session }) => [['codex', 'resume', session]],
}
