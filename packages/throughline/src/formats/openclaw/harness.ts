import { ownFolder, type Harness } from '../writing/harness.ts'
import { openclawReader } from './reader.ts'
import { pi } from '../pi/format.ts'
import { piWriter } from '../pi/writer.ts'
import type { Format } from '../format.ts'

/** OpenClaw's sessions hold pi's entries: in files before version 2026.7.2, in a database since. */
const openclaw: Format = {
  ...pi,
  name: 'openclaw',
  reader: openclawReader,
  place: '~/.openclaw/agents/<agent>/agent/openclaw-agent.sqlite',
}

/** Where OpenClaw's sessions are found. It takes none from outside: pi goes on with what is written. */
export const openclawSource: Harness = {
  name: openclaw.name,
  prefix: 'openclaw',
  format: openclaw,
  writer: piWriter,
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'OPENCLAW_STATE_DIR',
      names: ['.openclaw'],
      behind: ['agents'],
    }),
  sessionIn: (relativePath) => /^[^/]+\/sessions\/([^/.]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor: () => undefined,
  resume: ({ file }) => [['pi', '--session', file]],
}
