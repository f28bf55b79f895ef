import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { keptText, measuredSession, measureFacts, throughline } from 'throughline/evaluation'
import { readSession } from 'throughline/formats'
import { readSittings, usualExams } from '../facts/exams.ts'

/** What is kept without a room: facts by set of exams and size, rules, and the time it took. */
export interface Kept {
  /** Of each set: the mean share of facts at each size, and the share of each exam at 8k. */
  sets: Record<string, { shares: number[]; exams: Record<string, number> }>
  rules: number
  /** In seconds. */
  time: number
}

/** How much may be kept, in tokens. */
const sizes = [1_500, 3_000, 8_000, 20_000]

interface Labelled {
  session: string
  rules: { at: number; words: string }[]
}

async function measure(): Promise<Kept> {
  const corpus = process.env['THROUGHLINE_CORPUS'] ?? join(usualExams, '../corpus')
  const own = join(import.meta.dirname, '../exams')
  const sets: Kept['sets'] = {}
  for (const set of (process.env['SETS'] ?? 'old,open').split(',')) {
    const folder = set === 'old' ? usualExams : join(own, set)
    const sittings = await readSittings(folder, corpus, own)
    const shares: number[] = []
    const exams: Record<string, number> = {}
    for (const size of sizes) {
      const rows = (await measureFacts(throughline, sittings, size)).map((row) => {
        const of = row.kinds.reduce((sum, kind) => sum + kind.of, 0)
        return { exam: row.case, share: 1 - row.missed.length / of }
      })
      if (size === 8_000) for (const { exam, share } of rows) exams[exam] = share
      shares.push(rows.reduce((sum, { share }) => sum + share, 0) / Math.max(rows.length, 1))
    }
    if (sittings.length > 0) sets[set] = { shares, exams }
  }
  return { sets, rules: await rulesKept(corpus), time: process.cpuUsage().user / 1e6 }
}

/** The share of labelled rules whose words stand in a context of 3,000 tokens. */
async function rulesKept(corpus: string): Promise<number> {
  const labels = join(import.meta.dirname, '../rules/labels/open/corpus.json')
  const labelled = JSON.parse(await readFile(labels, 'utf8')) as Labelled[]
  let kept = 0
  let of = 0
  for (const { session, rules } of labelled) {
    const file = join(corpus, session)
    if (rules.length === 0 || !existsSync(file)) continue
    const read = await readSession([await readFile(file)])
    const { log, directories } = measuredSession(basename(session), read)
    const text = keptText(await throughline.compact({ log, keep: 3_000, directories }))
    of += rules.length
    kept += rules.filter(({ words }) => text.includes(words)).length
  }
  return of === 0 ? 0 : kept / of
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await measure()))
