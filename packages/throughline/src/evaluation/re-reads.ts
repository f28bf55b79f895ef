import { outputText } from './visible.ts'
import type { Cut } from './cuts.ts'
import type { MeasuredSession } from './measured-session.ts'
import type { ToolCallPart } from '../log/message.ts'

/** The calls after a cut that are looked at. */
const callsAhead = 40

/** Shorter lines are in many files. */
const shortestLine = 20
const linesLookedAt = 400
/** Of what was read before, what must be in the context so that it need not be read again. */
const enough = 0.5

/** Files that were read before a cut and are read again after it. */
export interface ReReads {
  /** Read again in the next 40 calls. */
  again: number
  /** Of these, the ones whose content is in the context: reading them again brings nothing. */
  spared: number
}

/** What was read before a cut and again after it: by path, what was seen of it last. */
export function reReadsAfter({ log }: MeasuredSession, cut: Cut): Map<string, string> {
  const seen = new Map<string, string>()
  const paths = new Map<string, string>()
  const again = new Map<string, string>()
  let calls = 0
  for (const [index, entry] of log.entries()) {
    if (entry.kind !== 'message' || typeof entry.message.content === 'string') continue
    for (const part of entry.message.content) {
      if (part.type === 'tool-call') {
        const path = pathRead(part)
        if (index >= cut.length && ++calls > callsAhead) return again
        if (path === undefined) continue
        if (index < cut.length) paths.set(part.toolCallId, path)
        else if (seen.has(path)) again.set(path, seen.get(path) ?? '')
      }
      if (part.type === 'tool-result' && index < cut.length) {
        const path = paths.get(part.toolCallId)
        if (path !== undefined) seen.set(path, outputText(part.output))
      }
    }
  }
  return again
}

/** How many of these are in what is kept. */
export function reReadsIn(again: ReadonlyMap<string, string>, kept: string): ReReads {
  const spared = [...again.values()].filter((text) => {
    const lines = text
      .split('\n')
      .map((line) => line.replace(/^\s*\d+\s*[→|:\t]?\s?/, '').trim())
      .filter((line) => line.length >= shortestLine)
      .slice(0, linesLookedAt)
    return (
      lines.length > 0 &&
      lines.filter((line) => kept.includes(line)).length >= lines.length * enough
    )
  })
  return { again: again.size, spared: spared.length }
}

const reading = /^(?:read|read_file|readfile|view|view_file|open_file|cat)$/i
const shell = /^(?:bash|shell|shell_command|exec_command|run_shell_command)$/i
const printing = /^(?:cat|head|tail|sed -n\s+\S+|nl -ba)\s+(?:-\S+\s+)*([^\s|;&<>]+)\s*$/

function pathRead({ toolName, input }: ToolCallPart): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const fields = input as Record<string, unknown>
  if (reading.test(toolName)) {
    const path = [fields['file_path'], fields['filePath'], fields['path']].find(
      (value) => typeof value === 'string',
    )
    return path as string | undefined
  }
  const command = fields['command'] ?? fields['cmd']
  if (!shell.test(toolName) || typeof command !== 'string') return undefined
  return printing.exec(command.slice(0, 400))?.[1]
}
