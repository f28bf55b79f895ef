import { fieldsOf } from '../../json/fields.ts'
import { lensOf, lensVerbs, type LensRow } from '../lens-row.ts'
import { fieldsAt, list, ownFunction, text } from './fields.ts'
import { inside, problem, type Check } from './location.ts'
import type { ToolLens } from '../../facts/lens.ts'

const toolName = text('the name of a tool')

/** A lens as code, or as a row of plain data. */
const lens: Check<ToolLens> = (given, at) => {
  const fields = fieldsOf(given)
  const isCode = fields !== undefined && ('tools' in fields || typeof fields['read'] === 'function')
  return isCode ? codeLens(given, at) : rowLens(given, at)
}

const codeLens: Check<ToolLens> = (given, at) => {
  const { tools, read } = fieldsAt(given, at, ['tools', 'read'])
  list(toolName)(tools, inside(at, 'tools'))
  ownFunction<ToolLens['read']>()(read, inside(at, 'read'))
  // The object itself, because it may have its own state.
  return given as ToolLens
}

const rowLens: Check<ToolLens> = (given, at) => {
  const fields = fieldsAt(given, at, ['tool', ...lensVerbs])
  const { tool } = fields
  const row: LensRow = {
    tool: (Array.isArray(tool) ? list(toolName) : toolName)(tool, inside(at, 'tool')),
  }
  for (const verb of lensVerbs) {
    if (fields[verb] === undefined) continue
    row[verb] = text('the name of the argument that holds it')(fields[verb], inside(at, verb))
  }
  if (lensVerbs.some((verb) => row[verb] !== undefined)) return lensOf(row)
  throw problem(at, `doesn’t say what the tool does; add one of ${lensVerbs.join(', ')}.`)
}

export const lenses = list(lens)

export const codeLenses = list(codeLens)
