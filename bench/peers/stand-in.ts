import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model, Question } from './adapter.ts'

/** What was asked of a model, for the money that it would cost. */
export interface Asked {
  /** Tokens (bytes/4). */
  inputTokens: number
  outputTokens: number
  /** Milliseconds that the answer took: not the peer's own time. */
  took: number
  /** A recorded answer of a real model was in the folder. */
  recorded: boolean
}

/** Lines longer than this are cut: they are outputs, not sentences. */
const longestLine = 240

/**
 * How many tokens a model writes, however many it may: the median of the fifteen readable summaries
 * in the corpus.
 */
const longestAnswer = 2_800

/** Models stop before a limit that they know about. */
const shareOfLimit = 0.75

/**
 * A model that needs no model: it picks whole lines from its input. A line's score is the number of
 * its words that occur elsewhere, per byte; the best lines that fit are written in their order. If
 * the folder has a recorded answer for the same prompt, that answer is used instead; otherwise the
 * question is written there for someone to answer. Lines that an engine writes around every
 * conversation are never picked.
 */
export function standIn(
  answers: string | undefined,
  onAsked: (asked: Asked) => void,
  instructions: ReadonlySet<string> = new Set(),
): Model {
  return {
    answer(question) {
      const startedAt = performance.now()
      const recorded = answers === undefined ? undefined : recordedAnswer(answers, question)
      const text = recorded ?? pickLines(question, instructions)
      onAsked({
        inputTokens: tokens(question.prompt),
        outputTokens: tokens(text),
        took: performance.now() - startedAt,
        recorded: recorded !== undefined,
      })
      return text
    },
  }
}

/** The file that holds the answer to a prompt, in a folder of recorded answers. */
export function answerFile({ prompt, most }: Question): string {
  return `${createHash('sha256').update(`${most}\n${prompt}`).digest('hex').slice(0, 24)}.txt`
}

function recordedAnswer(folder: string, question: Question): string | undefined {
  const path = join(folder, answerFile(question))
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const asked = path.replace(/\.txt$/, '.question.txt')
  const limit = `Answer in at most ${question.most} tokens.`
  if (!existsSync(asked)) writeFileSync(asked, `${question.prompt}\n\n${limit}\n`)
  return undefined
}

function pickLines(
  { prompt, instruction = '', most, headings = [] }: Question,
  instructions: ReadonlySet<string>,
): string {
  const own = new Set(linesOf(instruction))
  const lines = linesOf(prompt).filter((line) => !own.has(line) && !instructions.has(line))
  const frequency = new Map<string, number>()
  const words = lines.map((line) => new Set(line.match(/[\p{L}\p{N}_./-]{5,}/gu)))
  for (const own of words) {
    for (const word of own) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  }
  const ranked = lines
    .map((line, index) => ({
      line,
      index,
      worth: worthOf(words[index] ?? new Set(), frequency, lines.length),
    }))
    .map((row) => ({ ...row, worth: row.worth / (Buffer.byteLength(row.line) + 20) }))
    .filter(({ line }) => line !== '')
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
  const tokensLeft = Math.min(most * shareOfLimit, longestAnswer)
  let left =
    tokensLeft * 4 - headings.reduce((sum, heading) => sum + Buffer.byteLength(heading) + 12, 0)
  const picked = ranked.filter(({ line }) => {
    const bytes = Buffer.byteLength(line) + 3
    if (bytes > left) return false
    left -= bytes
    return true
  })
  const inOrder = picked.sort((a, b) => a.index - b.index).map(({ line }) => `- ${line}`)
  return headings.length === 0 ? inOrder.join('\n') : underHeadings(inOrder, headings)
}

/** The lines of a text, each once, as they were before an engine wrote calls as JSON. */
export function linesOf(prompt: string): string[] {
  const plain = prompt.replaceAll(/\\[nt]/g, '\n').replaceAll('\\"', '"')
  return [...new Set(plain.split('\n').map((line) => line.trim().slice(0, longestLine)))]
}

/** A word that comes back says what the text is about; one in every tenth line says nothing. */
function worthOf(
  words: ReadonlySet<string>,
  frequency: ReadonlyMap<string, number>,
  lines: number,
): number {
  let worth = 0
  for (const word of words) {
    const count = frequency.get(word) ?? 0
    if (count > 1 && count < lines / 10) worth += Math.log(count)
  }
  return worth
}

function underHeadings(lines: readonly string[], headings: readonly string[]): string {
  const each = Math.ceil(lines.length / headings.length)
  return headings
    .map((heading, index) => {
      const own = lines.slice(index * each, (index + 1) * each)
      return `## ${heading}\n${own.length > 0 ? own.join('\n') : '(none)'}`
    })
    .join('\n\n')
}

function tokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}
