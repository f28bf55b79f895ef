import {
  formatSections,
  parseSections,
  saysNothing,
  sectionBody,
  type ParsedSummary,
} from '../../facts/sections.ts'
import { type Template } from './template.ts'
import { headingKey } from '../../facts/sections.ts'
import type { Chronological } from '../../log/order.ts'
import type { FileFact, Facts } from '../../facts/facts.ts'
import { messageText } from '../../log/message-text.ts'
import { partsOf } from '../../log/message.ts'
import { scanNames } from '../../facts/names/scan.ts'

/** The input of a repair. */
export interface RepairInput<T extends number = number> {
  facts: Facts
  template: Template
  /** What the summary may take, in the unit of `count`. */
  budget: NoInfer<T>
  count: (text: string) => T
  log: Chronological
  /** A summary that was repaired before: those of its lines that remain are already correct. */
  vouched?: string
}

/**
 * Makes a model's summary agree with the log. Missing changed files are added with what happened to
 * them, names that the session never held are marked, the human's rules and latest request are
 * included word for word, and unresolved errors are listed. Lines from the log carry its seqs; the
 * model's lines carry none. Returns `undefined` if the result doesn't fit.
 */
export function repairSummary<T extends number>(
  text: string,
  input: RepairInput<T>,
): string | undefined {
  const { facts: index, budget, count } = input
  const parsed = inOrder(parseSections(withoutInventions(text, input)), input.template)
  addTo(parsed, 'Goal', missingRequest(text, index))
  addTo(parsed, 'Instructions', missingRules(text, index))
  addTo(parsed, 'Instructions', retractedRules(text, index))
  addTo(parsed, 'Discoveries', missingErrors(text, index))
  addTo(parsed, 'Accomplished', missingFiles(text, index))
  const repaired = formatSections(parsed)
  return count(repaired) <= budget ? repaired : undefined
}

function withoutInventions(text: string, { facts: index, log, vouched }: RepairInput): string {
  const corrected = (invented: string): string => markUnseen(withoutRefs(invented), index, log)
  if (vouched === undefined) return corrected(text)
  const right = new Set(vouched.split('\n'))
  return text
    .split('\n')
    .map((line) => (right.has(line) ? line : corrected(line)))
    .join('\n')
}

/** The template's sections first, in its order; then any that the model added. */
function inOrder(parsed: ParsedSummary, template: Template): ParsedSummary {
  const known = template.sections.map(({ heading }) => ({
    heading,
    body: sectionBody(parsed, heading) ?? '',
  }))
  const keys = new Set(template.sections.map(({ heading }) => headingKey(heading)))
  const others = parsed.sections.filter(({ heading }) => !keys.has(headingKey(heading)))
  return { preamble: parsed.preamble, sections: [...known, ...others] }
}

function addTo(parsed: ParsedSummary, heading: string, lines: readonly string[]): void {
  const section = parsed.sections.find((item) => headingKey(item.heading) === headingKey(heading))
  if (!section || lines.length === 0) return
  const body = saysNothing(section.body) ? '' : section.body
  section.body = [body, ...lines].filter((line) => line !== '').join('\n')
}

/** A model can't know seqs: anything that looks like one is invented. */
function withoutRefs(text: string): string {
  return text.replace(
    / ?\[(?:(?:q[0-9a-z]{5}:)?\d{1,9}(?:\.\d{1,5})?(?:, |,|–|-)?){1,20}\](?!\()/g,
    '',
  )
}

// A longer request is in the tail and can be read back by its ref.
const longestRequest = 2000

function missingRequest(text: string, facts: Facts): string[] {
  const latest = facts.requests.at(-1)
  if (!latest || latest.text.length > longestRequest || text.includes(latest.text)) return []
  return [`Latest request [${latest.seq}]:\n${latest.text}`]
}

function missingRules(text: string, facts: Facts): string[] {
  return facts.rules
    .filter((rule) => rule.retractedBy === undefined && !text.includes(rule.text))
    .map((rule) => `- ${rule.text} [${rule.seq}]`)
}

function retractedRules(text: string, facts: Facts): string[] {
  return facts.rules
    .filter((rule) => rule.retractedBy !== undefined)
    .map((rule) => `- Taken back [${rule.retractedBy}]: ${rule.text}`)
    .filter((line) => !text.includes(line))
}

// The newest ones say what still has to be done.
const mostErrors = 8

function missingErrors(text: string, facts: Facts): string[] {
  return facts.errors
    .filter((error) => error.resolvedBy === undefined && !text.includes(error.text))
    .slice(-mostErrors)
    .map((error) => `- Not resolved (${error.owner}): ${error.text} [${error.seq}]`)
}

function missingFiles(text: string, facts: Facts): string[] {
  return [...facts.files.values()]
    .filter((file) => file.state !== 'read' && !namesState(text, file))
    .map((file) => `- \`${file.path}\` ${stateOf(file)} [${file.seqs.at(-1) ?? ''}]`)
}

function stateOf({ state, edits, from, to }: FileFact): string {
  if (state === 'renamed') return to ? `renamed to \`${to}\`` : `renamed from \`${from ?? '?'}\``
  return state === 'edited' && edits > 1 ? `edited ${edits} times` : state
}

const words: Record<Exclude<FileFact['state'], 'read'>, RegExp> = {
  created: /creat|add|new|wr[io]t|tạo|thêm|创建|新增|作成|追加|생성|созда|добав|crea|añad|erstell/i,
  edited:
    /edit|chang|modif|updat|fix|refactor|rewr|sửa|修改|更新|変更|수정|измен|исправ|cambi|änder/i,
  renamed: /renam|mov|đổi tên|重命名|改名|이름|переимен|renombr|umbenan/i,
  deleted: /delet|remov|xóa|xoá|删除|削除|삭제|удал|elimin|borr|lösch|entfern/i,
}

/** Whether any line names the file together with what happened to it. */
function namesState(text: string, { path, state }: FileFact): boolean {
  if (state === 'read') return true
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + path.length)) {
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at)
    if (words[state].test(text.slice(start, end === -1 ? undefined : end))) return true
  }
  return false
}

const mark = ' (not seen in this session)'

/**
 * Marks every path and identifier in a text that the session never held, where it first occurs. It
 * isn't deleted, because it may be planned.
 */
function markUnseen(text: string, facts: Facts, log: Chronological): string {
  const ends: number[] = []
  const seen = new Set<string>()
  scanNames(text, {
    name: (source, start, end, kind) => {
      if (kind === 'ticket') return
      const name = source.slice(start, end)
      if (seen.has(name)) return
      seen.add(name)
      if (!isHeld(name, facts, log)) ends.push(afterQuote(source, end))
    },
  })
  let marked = ''
  let from = 0
  for (const end of ends) {
    marked += text.slice(from, end) + mark
    from = end
  }
  return marked + text.slice(from)
}

function isHeld(name: string, facts: Facts, log: Chronological): boolean {
  return facts.names.has(name) || facts.files.has(name) || log.some((entry) => holds(entry, name))
}

function holds(entry: Chronological[number], name: string): boolean {
  // One of our own summaries may contain marked names; an imported one is all we have.
  if (entry.kind === 'checkpoint') {
    return entry.metadata['rung'] === undefined && entry.summary.includes(name)
  }
  if (entry.kind === 'pin') return entry.text.includes(name)
  if (entry.kind !== 'message') return false
  return (
    messageText(entry.message).includes(name) ||
    partsOf(entry.message).some(
      (part) => part.type === 'tool-call' && (JSON.stringify(part.input) ?? '').includes(name),
    )
  )
}

function afterQuote(text: string, end: number): number {
  return text[end] === '`' ? end + 1 : end
}
