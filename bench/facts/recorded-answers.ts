import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Summarizer } from 'throughline'
import {
  throughlineCompactor,
  tokensOf,
  type Compactor,
  type Sitting,
} from 'throughline/evaluation'

/** What a real model once answered when it was asked for the summary of an exam's session. */
export interface RecordedAnswer {
  case: string
  /** What tells the answers to one exam apart, for example `short`. */
  name: string
  text: string
}

/** The answers in a folder: `CASE.NAME.md`. */
export async function readAnswers(folder: string): Promise<RecordedAnswer[]> {
  if (!existsSync(folder)) return []
  const answers: RecordedAnswer[] = []
  for (const file of (await readdir(folder)).sort()) {
    const [, name, kind] = /^(.+)\.([^.]+)\.md$/.exec(file) ?? []
    if (name === undefined || kind === undefined) continue
    answers.push({ case: name, name: kind, text: await readFile(join(folder, file), 'utf8') })
  }
  return answers
}

/**
 * Throughline with a model that gives the recorded answers: of those to a session the longest that
 * the summary has room for, as a model that is told its limit would; or always the one of that name.
 */
export function withAnswers(
  sittings: readonly Sitting[],
  answers: readonly RecordedAnswer[],
  { name, habit = (text) => text }: { name?: string; habit?: (text: string) => string } = {},
): Compactor {
  const label = `throughline, ${name === undefined ? 'recorded answers' : `${name} answers`}`
  return {
    name: label,
    compact: async (request) => {
      const sitting = sittings.find(({ session }) => session.log[0] === request.log[0])
      const own = answers.filter((one) => one.case === sitting?.exam.case)
      const texts = own
        .filter((one) => name === undefined || one.name === name)
        .map(({ text }) => text)
      const summarizer = answering(texts.map(habit))
      return throughlineCompactor({ name: label, summarizer }).compact(request)
    },
  }
}

function answering(texts: readonly string[]): Summarizer {
  const bySize = texts.toSorted((a, b) => tokensOf(b) - tokensOf(a))
  return {
    name: 'recorded',
    summarize: async ({ budget }) => {
      const text = bySize.find((one) => tokensOf(one) <= budget) ?? bySize.at(-1)
      if (text === undefined) throw new Error('There is no recorded answer for this session.')
      return { text, finish: 'stop' }
    },
  }
}
