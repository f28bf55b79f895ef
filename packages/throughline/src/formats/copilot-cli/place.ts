import { ownFolder } from '../writing/own-folder.ts'
import type { SessionPlace } from '../writing/harness.ts'

/** `session-state/<session>/events.jsonl`. */
export const copilotCliPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'COPILOT_HOME',
      names: ['.copilot'],
      behind: ['session-state'],
    }),
  sessionIn: (relativePath) => /^([^/]+)\/events\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session }) => `${session}/events.jsonl`,
  resume: ({ session }) => [['copilot', `--resume=${session}`]],
}
