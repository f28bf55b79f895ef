import { fieldsOf, textsOf } from '../facts/lenses/arguments.ts'
import { commandEffects, commandOf } from '../facts/lenses/command-lens.ts'
import { editLens, moveLens, readLens, writeLens } from '../facts/lenses/file-lenses.ts'
import type { Effect, LensCall, ToolLens } from '../facts/lens.ts'

/**
 * A tool lens as plain data: the tool, and the argument that holds the path that it reads, writes,
 * edits or deletes (a list of paths is possible), or the command that it runs.
 * @example
 * { tool: 'save_note', writes: 'note_path' }
 */
export interface LensRow extends Partial<Record<LensVerb, string>> {
  tool: string | readonly string[]
}

/** What a tool does with the file or command that an argument of its names. */
export type LensVerb = 'reads' | 'writes' | 'edits' | 'deletes' | 'runs'

type ReadArgument = (call: LensCall, argument: string) => Effect[]

const readArgument: Readonly<Record<LensVerb, ReadArgument>> = {
  reads: ofFiles((call) => readLens.read(call)),
  writes: ofFiles((call) => writeLens.read(call)),
  edits: ofFiles((call) => editLens.read(call)),
  deletes: ofFiles((call) => moveLens.read({ ...call, tool: 'delete_file' })),
  runs: (call, argument) => {
    const command = commandOf({ command: fieldsOf(call.input)[argument] })
    return command === undefined ? [] : commandEffects(call, command)
  },
}

export const lensVerbs = Object.keys(readArgument) as readonly LensVerb[]

export function lensOf(row: LensRow): ToolLens {
  const verbs = lensVerbs.flatMap((verb) => {
    const argument = row[verb]
    return argument === undefined ? [] : [{ read: readArgument[verb], argument }]
  })
  return {
    tools: typeof row.tool === 'string' ? [row.tool] : row.tool,
    read: (call) => verbs.flatMap(({ read, argument }) => read(call, argument)),
  }
}

/** The built-in lenses find the path under their own argument name. */
function ofFiles(read: (call: LensCall) => Effect[]): ReadArgument {
  return (call, argument) =>
    textsOf(call.input, argument).flatMap((path) =>
      read({ ...call, input: { ...fieldsOf(call.input), file_path: path } }),
    )
}
