import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  lastTokens,
  markText,
  measureFacts,
  throughline,
  type Compactor,
  type FactsKept,
} from 'throughline/evaluation'
import { readAnswers, withAnswers } from './recorded-answers.ts'
import { readSittings, usualExams } from './exams.ts'
import { pooledTable, sessionTable } from './tables.ts'

const usage = `Measures which facts a compacted context still states (npm run bench:facts).

  --exams DIR      exams to sit (default: ../shared/exams)
  --sessions DIR   their sessions (default: THROUGHLINE_CORPUS, or ../shared/corpus)
  --answers DIR    what a model answered when asked for the summaries: EXAM.NAME.md
                   (default: the folder answers beside the exams)
  --keep N,N       how much may be kept, in tokens of 4 bytes (default: 3000,8000,12000,20000)
  --case A,B       only these exams
  --by TEXT        only those compactors whose name contains this
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
