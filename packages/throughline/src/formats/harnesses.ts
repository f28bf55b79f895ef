import { formats } from './formats.ts'
import { openclawSource } from './openclaw/harness.ts'
import { type Harness, ownFolder } from './writing/harness.ts'
import type { FormatWriter } from './writing/format-writer.ts'

/** What lossless-claw, another engine for OpenClaw, has kept: messages, and its summaries. */
const losslessClawSource: Harness = {
  ...openclawSource,
  name: 'lossless-claw',
  prefix: 'lossless-claw',
  format: { ...openclawSource.format, name: 'lossless-claw', place: '~/.openclaw/lcm.db' },
  roots: (surroundings) =>
    ownFolder(surroundings, { variable: 'OPENCLAW_STATE_DIR', names: ['.openclaw'], behind: [] }),
  sessionIn: () => undefined,
}

/** The harnesses that can resume a session written by us. */
export const harnesses: readonly Harness[] = formats.flatMap((format) => {
  if (!('home' in format)) return []
  const { name, prefix, writer, home } = format
  return [{ name, prefix, format, writer, ...home }]
})

/** The harnesses whose sessions are found, also those that take none from outside. */
export const sources: readonly Harness[] = [...harnesses, openclawSource, losslessClawSource]

/** The writers that turn a session into a JSON document for a model or an SDK. */
export const apiWriters: readonly FormatWriter[] = formats.flatMap((format) =>
  'writer' in format && !('home' in format) ? [format.writer] : [],
)
