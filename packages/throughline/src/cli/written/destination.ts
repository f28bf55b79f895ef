import { apiWriters } from '../../formats/api-writers.ts'
import { harnesses } from '../../formats/harnesses.ts'
import { toolTableOf } from '../../formats/handoff/hand-over.ts'
import { nearest } from '../../config/folders.ts'
import { usage } from '../parse-arguments.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { FormatWriter } from '../../formats/writing/format-writer.ts'

/** A form in which a session can be written: a harness's format, or an API's messages. */
export interface Destination {
  /** The name of the format: `codex`, `openai-chat`. */
  name: string
  /** The name as people write it. */
  label: string
  writer: FormatWriter
  /** The harness that accepts it; none for an API's messages. */
  harness: Harness | undefined
}

const ofHarnesses: readonly Destination[] = harnesses.map((harness) => {
  const { name, writer } = harness
  return { name, label: toolTableOf(name).label, writer, harness }
})

const ofApis: readonly Destination[] = apiWriters.map((writer) => {
  const { name } = writer
  return { name, label: name, writer, harness: undefined }
})

/** The values of `--to`, as the help lists them. */
export const harnessNames = ofHarnesses.map(({ name }) => name)
export const formNames = [...harnessNames, ...ofApis.map(({ name }) => name)]

/** @throws UsageError */
export function destinationNamed(
  command: string,
  option: string,
  word: string,
  names: readonly string[],
): Destination {
  const all = [...ofHarnesses, ...ofApis].filter(({ name }) => names.includes(name))
  const found = all.find(({ name, harness }) => name === word || harness?.prefix === word)
  if (found) return found
  const meant = nearest(word, names)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw usage(
    command,
    `${option} must be one of ${names.join(', ')}, not ${JSON.stringify(word)}${hint}`,
  )
}
