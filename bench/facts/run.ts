import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  lastTokens,
  markText,
  measureFacts,
  throughline,
  type Compactor,
  type FactsKept,
  type Sitting,
} from 'throughline/evaluation'
import { readAnswers, withAnswers } from './recorded-answers.ts'
import { readSittings, usualExams } from './exams.ts'
import { driftRounds, measureDrift, sentencesBetween, type Drift } from './drift.ts'
import { markdownTable } from '../compare/markdown.ts'
import { percent } from '../fidelity/goals.ts'
import { summariesPage } from './page.ts'
import { pooledTable, sessionTable } from './tables.ts'

const usage = `Measures which facts a compacted context still states (npm run bench:facts).

  --exams DIR      exams to sit (default: ../shared/exams)
  --sessions DIR   their sessions (default: THROUGHLINE_CORPUS, or ../shared/corpus)
  --answers DIR    what a model answered when asked for the summaries: EXAM.NAME.md
                   (default: the folder answers beside the exams)
  --keep N,N       how much may be kept, in tokens of 4 bytes (default: 3000,8000,12000,20000)
  --case A,B       only these exams
  --by TEXT        only those compactors whose name contains this
  --drift          compact again and again instead, through the files of each harness
  --page FILE      write a page (HTML) with whole summaries, beside what the clients wrote
  --missed         print the facts that are not stated
  --json           print the figures as JSON
`

const { values } = parseArgs({
  options: {
    exams: { type: 'string', default: usualExams },
    sessions: { type: 'string' },
    answers: { type: 'string' },
    keep: { type: 'string', default: '3000,8000,12000,20000' },
    case: { type: 'string' },
    by: { type: 'string' },
    drift: { type: 'boolean', default: false },
    page: { type: 'string' },
    missed: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const corpus =
    values.sessions ?? process.env['THROUGHLINE_CORPUS'] ?? join(usualExams, '../corpus')
  const named = values.case?.split(',')
  const sittings = (await readSittings(values.exams, corpus)).filter(
    ({ exam }) => named?.includes(exam.case) ?? true,
  )
  if (sittings.length === 0) {
    return console.log(
      `Skipped: there are no exams at ${values.exams}. Name a folder with --exams DIR.`,
    )
  }
  const answers = await readAnswers(values.answers ?? join(values.exams, 'answers'))
  const names = [...new Set(answers.map(({ name }) => name))]
  const compactors: Compactor[] = [
    lastTokens,
    throughline,
    ...(answers.length > 0 ? [withAnswers(sittings, answers)] : []),
    ...names.map((name) => withAnswers(sittings, answers, { name })),
  ].filter(({ name }) => values.by === undefined || name.includes(values.by))
  if (values.page !== undefined) {
    const own = [throughline, ...(answers.length > 0 ? [withAnswers(sittings, answers)] : [])]
    await writeFile(
      values.page,
      await summariesPage(sittings, own, { sessions: corpus, keep: 8_000 }),
    )
    return console.log(`The summaries are in ${values.page}`)
  }
  if (values.drift) return console.log(await driftTable(sittings))
  const groups: FactsKept[][] = []
  for (const compactor of compactors) {
    for (const keep of values.keep.split(',').map(Number)) {
      groups.push(await measureFacts(compactor, sittings, keep))
    }
  }
  for (const name of names) {
    const alone = sittings.flatMap(({ exam }) => {
      const answer = answers.find((one) => one.case === exam.case && one.name === name)
      return answer
        ? [{ ...markText(exam, answer.text), compactor: `the ${name} answer alone` }]
        : []
    })
    if (values.by === undefined || 'alone'.includes(values.by)) groups.push(alone)
  }
  if (values.json) return console.log(JSON.stringify(groups, undefined, 2))
  console.log(`${sessionTable(groups)}\n\n${pooledTable(groups)}`)
  if (!values.missed) return
  for (const { case: exam, compactor, keep, missed } of groups.flat()) {
    console.log(`\n${exam}, ${compactor}, ${keep ?? ''}: not stated`)
    for (const { id, kind, where, fact } of missed) console.log(`- ${id} ${kind} ${where}: ${fact}`)
  }
}

async function driftTable(sittings: readonly Sitting[]): Promise<string> {
  const rows: Drift[] = []
  for (const keep of values.keep.split(',').map(Number)) {
    for (const sentences of sentencesBetween) {
      rows.push(...(await measureDrift(throughline, sittings, { keep, sentences })))
    }
  }
  return markdownTable({
    head: [
      'through the files of',
      'cap',
      'sentences between',
      'facts after 1',
      `after ${driftRounds}`,
      'lost',
      'all compacted once',
    ],
    rows: rows.map(({ through, keep, sentences, first, last, once }) => [
      through,
      `${keep / 1_000}k`,
      `${sentences}`,
      percent(first),
      percent(last),
      `${((first - last) * 100).toFixed(1)} points`,
      percent(once),
    ]),
  })
}
