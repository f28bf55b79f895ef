import { partsOf } from '../../log/message.ts'
import { namedIn } from './named-in.ts'
import type { WrittenSession } from '../writing/format-writer.ts'
import type { ToolTables } from './convert-call.ts'
import type { KnownTool, ToolTable, WorkKind } from './tool-table.ts'

/** Where the session comes from, and what does here the work of each tool that it names. */
export function toolNote(session: WrittenSession, { from, to }: ToolTables): string {
  const lines = namesIn(session, from).map((name) => `- ${lineFor(name, from, to)}`)
  const start = `This session began in ${from.label} and goes on in ${to.label}, whose tools are other ones.`
  const tools =
    lines.length === 0 ? [] : ['What did the work there, and what does it here:', ...lines]
  const end =
    'Call only the tools that you are given now, whatever others are named above or below.'
  return `[${[start, ...tools, end].join('\n')}]`
}

const mostNames = 40

/** The tools that the tail calls, then those that the summary names. */
function namesIn({ summary = '', messages }: WrittenSession, from: ToolTable): string[] {
  const names = new Set<string>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) if (part.type === 'tool-call') names.add(part.toolName)
  }
  const known = new Set(from.tools.map(({ name }) => name))
  for (const name of namedIn(summary)) if (known.has(name)) names.add(name)
  return [...names].slice(0, mostNames)
}

function lineFor(name: string, from: ToolTable, to: ToolTable): string {
  const tool = from.tools.find((each) => each.name === name)
  if (!tool) return `${name}: not known here`
  const same = [tool.kind, ...(insteadOf[tool.kind] ?? [])]
  const others = to.tools.filter(({ given }) => given !== 'seldom')
  const other = same.flatMap((kind) => others.filter((each) => each.kind === kind))[0]
  return `${shown(tool)} ${tool.kind}: ${other ? shown(other) : 'nothing of the kind'}`
}

function shown({ name, arguments: named, needs, own = [] }: KnownTool): string {
  const fields = needs.map((meaning) => (named[meaning] ?? '').replace(/\[\].*$/, ''))
  return `${name}{${[...new Set([...fields, ...own])].join(', ')}}`
}

/** What else does the work where there is no tool of its own for it, the nearest first. */
const insteadOf: Readonly<Partial<Record<WorkKind, readonly WorkKind[]>>> = {
  'reads a file': ['runs a command'],
  'writes a whole file': ['applies a patch', 'runs a command'],
  'changes a part of a file': ['applies a patch', 'writes a whole file'],
  'applies a patch': ['changes a part of a file', 'writes a whole file'],
  'searches in files': ['runs a command'],
  'finds files by name': ['runs a command'],
  'lists a directory': ['runs a command'],
}
