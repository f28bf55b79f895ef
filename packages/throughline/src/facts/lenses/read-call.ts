import { effectsIn } from './effects-in.ts'
import { commandLens, runningCommandLens } from './command-lens.ts'
import { fallbackEffects, lastSegment } from './fallback-lens.ts'
import { editLens, editorLens, moveLens, readLens, readManyLens, writeLens } from './file-lenses.ts'
import { patchLens } from './patch-lens.ts'
import { searchLens, talkLens, webLens } from './search-lenses.ts'
import { taskCreateLens, taskUpdateLens, todoListLens } from './todo-lenses.ts'
import type { Effect, LensCall, ToolLens } from '../lens.ts'

/** The lenses for the tools of known harnesses. */
const builtInLenses: readonly ToolLens[] = [
  commandLens,
  runningCommandLens,
  readLens,
  readManyLens,
  writeLens,
  editLens,
  editorLens,
  moveLens,
  patchLens,
  searchLens,
  webLens,
  talkLens,
  todoListLens,
  taskCreateLens,
  taskUpdateLens,
]

const builtIn = tableOf(builtInLenses)

function tableOf(lenses: readonly ToolLens[]): ReadonlyMap<string, ToolLens> {
  const table = new Map<string, ToolLens>()
  for (const lens of lenses) {
    for (const tool of lens.tools) {
      const name = tool.toLowerCase()
      if (!table.has(name)) table.set(name, lens)
    }
  }
  return table
}

/**
 * What a call did: first by a plugin's lens, then by the tool's name, then by its name without the
 * server, then by its arguments.
 */
export function readCall(call: LensCall, lenses: readonly ToolLens[] = []): Effect[] {
  const name = call.tool.toLowerCase()
  const own = lenses.find(({ tools }) => tools.some((tool) => tool.toLowerCase() === name))
  if (own) return readSafely(own, call)
  const lens = builtIn.get(name) ?? builtIn.get(lastSegment(name))
  return lens ? lens.read(call) : fallbackEffects(call)
}

/** A plugin's mistake must not stop a compaction: a call that its lens can't read has no effect. */
function readSafely(lens: ToolLens, call: LensCall): Effect[] {
  try {
    return effectsIn(lens.read(call))
  } catch {
    return []
  }
}
