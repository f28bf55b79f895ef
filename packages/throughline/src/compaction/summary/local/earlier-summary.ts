import { carriedLabel, modelsLabel } from '../../../facts/labels.ts'
import { clipMiddle, quote } from './clip-words.ts'
import { withoutHumanWords, withoutRepeats } from '../models-words.ts'
import { isLocalSummary } from '../../../facts/read-back.ts'
import { parseSections, saysNothing, sectionBody } from '../../../facts/sections.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'

/** What a model's summary of a log says beyond the facts of that log. */
const reasons = ['Discoveries', 'Accomplished']
/** What it says where the log itself is gone. */
const everything = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']

/** The sections that only an earlier summary knows. */
function headingsToCarry({ inherited }: Pick<Facts, 'inherited'>): readonly string[] {
  return inherited === undefined ? reasons : everything
}

/**
 * The parts of an earlier summary that the facts can't know. From a local summary: only what it had
 * itself carried over. From a model's: what it found and why, or all of it where its log is gone. From a foreign text: all that
 * there is room for.
 */
export function earlierSummary(
  previous: string | undefined,
  { room, tokens, facts }: { room: Room; tokens: number; facts: Facts },
): readonly string[] {
  const text = carriedText(previous ?? '', facts)
  if (text === '' || tokens <= room.cost(carriedLabel)) return []
  const left = tokens - room.cost(carriedLabel)
  const clipped = clipMiddle(text, Math.floor(room.characters(text, left) * 0.95))
  return room.take([carriedLabel, ...quote(clipped)])
}

function carriedText(previous: string, facts: Facts): string {
  const parsed = parseSections(previous)
  const discoveries = sectionBody(parsed, 'Discoveries')
  if (discoveries === undefined) return withoutHumanWords(withoutFrame(previous), facts)
  const carried = carriedBlock(discoveries)
  if (carried !== undefined) return carried
  if (isLocalSummary(previous)) return ''
  return headingsToCarry(facts)
    .map((heading) => {
      const body = withoutRepeats(sectionBody(parsed, heading) ?? '', heading, facts)
      return { heading: heading === 'Instructions' ? modelsLabel : `${heading}:`, body }
    })
    .filter(({ body }) => body !== '' && !saysNothing(body))
    .map(({ heading, body }) => `${heading}\n${body}`)
    .join('\n')
}

function carriedBlock(body: string): string | undefined {
  const lines = body.split('\n')
  const start = lines.indexOf(carriedLabel)
  if (start < 0) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => !line.startsWith('> '))
  const block = end < 0 ? rest : rest.slice(0, end)
  return block.map((line) => line.slice(2)).join('\n')
}

/**
 * Text that a harness put around its summary: an analysis for itself before it, orders to the agent
 * after it, or a sentence in place of one that can't be read. None of it belongs to the summary,
 * and orders must come from the human.
 */
function withoutFrame(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.length < 40 && isSummaryLabel(line.trim()))
  const own = lines.slice(start + 1).filter((line) => !frame.test(line.slice(0, 80)))
  return own.join('\n').trim()
}

const frame =
  /^\s{0,8}(?:If you need specific details from before compaction|Please continue the conversation from where we left|Continue with the last task that you were asked|Codex compacted the session here\.|<\/?summary>)/

function isSummaryLabel(line: string): boolean {
  return /^(?:<summary>|\**summary:?\**:?)$/i.test(line)
}
