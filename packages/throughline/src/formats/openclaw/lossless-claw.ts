import { openclawSource } from './harness.ts'
import { ownFolder, type Harness } from '../writing/harness.ts'

/** What lossless-claw, another engine for OpenClaw, has kept: messages, and its summaries. */
export const losslessClawSource: Harness = {
  ...openclawSource,
  name: 'lossless-claw',
  prefix: 'lossless-claw',
  format: { ...openclawSource.format, name: 'lossless-claw', place: '~/.openclaw/lcm.db' },
  roots: (surroundings) =>
    ownFolder(surroundings, { variable: 'OPENCLAW_STATE_DIR', names: ['.openclaw'], behind: [] }),
  sessionIn: () => undefined,
}
