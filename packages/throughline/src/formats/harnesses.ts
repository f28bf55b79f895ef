import { formats } from './formats.ts'
import { losslessClawSource } from './openclaw/lossless-claw.ts'
import { openclawSource } from './openclaw/harness.ts'
import type { Harness } from './writing/harness.ts'
import type { FormatWriter } from './writing/format-writer.ts'

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
