import { filesNamed } from '../../facts/file-tree.ts'
import { holdsText } from './invented-names.ts'
import type { Chronological } from '../../log/order.ts'
import type { CommandFact, Facts } from '../../facts/facts.ts'

const code = /`([^`\n]{2,200})`/g

const success =
  /\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|clean|no errors|0 errors|ok)\b|[✓✅]/i
const failure =
  /\b(?:fail(?:s|ed|ing|ure)?|errors? (?:in|at|of|from)|not|never|broken|red|before|first|until|should|must|to be|again|if|once|after)\b|[✗❌]/i

/** What runs a command line. */
const runner =
  /^(?:npm|pnpm|yarn|bun|npx|deno|go|cargo|make|just|mise|pytest|uv|pip|git|docker|kubectl|dotnet|mvn|gradle) [\w:./-]+/
const ran = /\b(?:ran|executed)\b/i
const deleted = /\bdeleted (?:the file )?`([^`\n]{2,200})`/gi

/**
 * A model's words, marked where the record contradicts them: a command that passes, though it failed
 * when it last ran; one that was run and never was; a file that was deleted and is there. They are
 * not deleted, because code does not understand all that a session did.
 */
export function withContradictions(
  text: string,
  { facts, log, right }: { facts: Facts; log: Chronological; right: ReadonlySet<string> },
): string {
  return text
    .split('\n')
    .map((line) => (right.has(line) ? line : markedLine(line, facts, log)))
    .join('\n')
}

function markedLine(line: string, facts: Facts, log: Chronological): string {
  const passes = success.test(line) && !failure.test(line)
  const isRun = ran.test(line)
  const told = line.replace(deleted, (words, path: string) =>
    isStillThere(path, facts) ? `${words} (not seen to be deleted)` : words,
  )
  if (!passes && !isRun) return told
  return told.replace(code, (span, command: string) => {
    const last = passes ? newestRun(command, facts) : undefined
    if (last?.outcome === 'failed') return `${span} (failed when it last ran [${last.seqs.at(-1)}])`
    const head = runner.exec(command)?.[0] ?? ''
    const isUnseen = isRun && head !== '' && !log.some((entry) => holdsText(entry, head))
    return isUnseen ? `${span} (not seen in this session)` : span
  })
}

/** The last run of this command, alone or as part of a longer line. */
function newestRun(command: string, { commands }: Facts): CommandFact | undefined {
  const at = ({ seqs }: CommandFact): number => seqs.at(-1) ?? 0
  return [...commands.values()]
    .filter((known) => isPartOf(command, known.command))
    .reduce<CommandFact | undefined>((a, b) => (a && at(a) > at(b) ? a : b), undefined)
}

function isPartOf(command: string, whole: string): boolean {
  const start = whole.indexOf(command)
  if (start === -1) return false
  const before = whole.slice(0, start).trimEnd()
  const behind = whole.slice(start + command.length).trimStart()
  return /(?:^|[;&|(])$/.test(before) && /^(?:$|[;&|>)]|2>)/.test(behind)
}

function isStillThere(path: string, { files }: Facts): boolean {
  const known = files.has(path) ? [path] : filesNamed(files, path.slice(path.lastIndexOf('/') + 1))
  const named = known.filter((each) => each === path || each.endsWith(`/${path}`))
  const states = named.map((each) => files.get(each)?.state)
  return states.length > 0 && states.every((state) => state !== 'deleted' && state !== 'renamed')
}
