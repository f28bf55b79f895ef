import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { asksPeers } from './contestants.ts'
import { writeReport } from './write-report.ts'
import { installPeers } from './install.ts'
import { measureAll } from './measure-all.ts'
import { accept, pointsOf } from './accepted.ts'
import { chooseSessions } from './choose-sessions.ts'
import { goalsOf } from './goals.ts'
import { holdAgainstAccepted } from './hold-against-accepted.ts'
import { writeComparedPage } from './compared-page.ts'

const usage = `Compares Throughline with its peers on the same sessions (npm run bench).

  --sessions DIR   sessions to read (default: THROUGHLINE_CORPUS, ../shared/corpus, or the sample)
  --keep N,N       how much may be kept, in tokens of 4 bytes (default: 3000,8000,12000)
  --only A,B       only these contestants, by id (default: all)
  --answers DIR    a real model’s answers, used instead of the stand-in’s: NAME.txt for each
                   NAME.question.txt, which is written there for every unanswered question
  --window N       the window in which sessions are replayed (default: 64000)
  --accept         accept the figures of this run (bench/accepted.json)
  --no-speed       leave out figures that differ between runs: speed, memory and growth
  -o DIR           where to write the report (default: bench/report)

`

const { values } = parseArgs({
  allowNegative: true,
  options: {
    sessions: { type: 'string' },
    keep: { type: 'string', default: '3000,8000,12000' },
    only: { type: 'string' },
    answers: { type: 'string' },
    window: { type: 'string', default: '64000' },
    accept: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: true },
    output: { type: 'string', short: 'o', default: join(import.meta.dirname, '../report') },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const chosen = await chooseSessions(values.sessions)
  const only = values.only?.split(',')
  const problem = asksPeers(only) ? installPeers() : undefined
  if (problem !== undefined) console.error(problem)
  const figures = await measureAll(chosen, {
    keeps: values.keep.split(',').map(Number),
    only,
    answers: values.answers,
    window: Number(values.window),
    speed: values.speed && problem === undefined,
    onProgress: (doing) => console.error(doing),
  })
  await writeReport(figures, values.output)
  console.error(`The report is in ${join(values.output, 'index.html')}`)
  for (const { what, goal, reached, met } of goalsOf(figures)) {
    console.log(`${met ? 'met   ' : 'MISSED'}  ${what}: ${reached} (goal: ${goal})`)
  }
  const whole = values.only === undefined && problem === undefined && values.answers === undefined
  if (whole && chosen.source === 'corpus') writeComparedPage(figures)
  if (values.accept) accept(chosen.source, pointsOf(figures))
  else holdAgainstAccepted(figures)
}
