import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  bareList,
  genericIdentifiers,
  halfList,
  lastTokens,
  measureAtCuts,
  measureSeries,
  questionsOf,
  throughline,
  type MeasuredSession,
  type Result,
  type SeriesResult,
} from 'throughline/evaluation'
import { elsewhereLines } from './elsewhere-goals.ts'
import { measureElsewhere } from './elsewhere.ts'
import { missedGoals } from './goals.ts'
import { readSessions } from './sessions.ts'
import { seriesTableOf, tableOf } from './table.ts'

const usage = `Measures what survives a compaction (npm run bench:fidelity).

  --sessions DIR   sessions to read (default: THROUGHLINE_CORPUS, or ../shared/corpus)
  --keep N,N       how much may be kept, in tokens of 4 bytes (default: 3000,8000,12000)
  --json           print the figures as JSON
`

const { values } = parseArgs({
  options: {
    sessions: { type: 'string' },
    keep: { type: 'string', default: '3000,8000,12000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const folder =
  values.sessions ??
  process.env['THROUGHLINE_CORPUS'] ??
  join(import.meta.dirname, '../../../shared/corpus')

if (values.help) console.log(usage)
else if (existsSync(folder)) await report()
else console.log(`Skipped: there are no sessions at ${folder}. Name a folder with --sessions DIR.`)

async function report(): Promise<void> {
  const all = await readSessions(folder)
  const sessions = all.filter(hasGoals)
  const others = all.filter((session) => !hasGoals(session))
  if (all.length === 0) {
    console.log(`Skipped: no session at ${folder} is in a known format.`)
    return
  }
  const questions = questionsOf(sessions, genericIdentifiers(sessions))
  const keeps = values.keep.split(',').map(Number)
  const results: Result[] = []
  for (const compactor of [lastTokens, bareList, halfList, throughline]) {
    for (const keep of keeps) results.push(await measureAtCuts(compactor, questions, keep))
  }
  const series: SeriesResult[] = []
  for (const keep of keeps) series.push(await measureSeries(throughline, sessions, keep))
  const elsewhere = await measureElsewhere(others, genericIdentifiers(all), keeps)
  const own = results.filter(({ compactor }) => compactor === throughline.name)
  const missed = missedGoals(own, series)
  if (values.json) {
    console.log(
      JSON.stringify(
        { sessions: sessions.length, results, series, missed, others: others.length, elsewhere },
        undefined,
        2,
      ),
    )
    return
  }
  const { cuts = 0, repositories = 0 } = results[0]?.forwardNeed ?? {}
  console.log(
    `${sessions.length} sessions, ${cuts} cuts with ten or more needed names, ${repositories} repositories\n`,
  )
  console.log(`${tableOf(results)}\n\n${seriesTableOf(series)}\n`)
  if (elsewhere.length > 0) {
    console.log(
      `${others.length} sessions of other harnesses, with the figures above less 5 points as goal\n`,
    )
    console.log(`${tableOf(elsewhere.flatMap(({ results }) => results))}\n`)
    console.log(`${elsewhereLines(elsewhere, own).join('\n')}\n`)
  }
  const whole = 'All goals for Claude Code and Codex are reached.'
  console.log(missed.length === 0 ? whole : `MISSED:\n- ${missed.join('\n- ')}`)
}

/** The goals were set on these; other harnesses' sessions are measured as well. */
function hasGoals({ harness }: MeasuredSession): boolean {
  return harness === 'claude-code' || harness === 'codex'
}
