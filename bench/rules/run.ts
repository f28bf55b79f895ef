import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { factsOf, logOf, readSession } from './library.ts'
import { scoreOf, type Labelled, type Score } from './score.ts'

// Which of the human's sentences are taken for rules, against what careful readers say:
// npm run bench:rules -- [--sealed "what is decided"] [--misses]
const folder = import.meta.dirname
const corpus = join(folder, '../../../shared/corpus')
const { values } = parseArgs({
  options: { sealed: { type: 'string' }, misses: { type: 'boolean', default: false } },
})
const part = values.sealed === undefined ? 'open' : 'sealed'
const all: Score[] = []
for (const kind of ['corpus', 'written']) {
  const sessions = JSON.parse(
    readFileSync(join(folder, 'labels', part, `${kind}.json`), 'utf8'),
  ) as Labelled[]
  if (kind === 'corpus' && !existsSync(corpus)) {
    console.log('The corpus is not here, so its sessions are left out.')
    continue
  }
  const scores = await Promise.all(sessions.map(scored))
  print(kind, scores)
  all.push(...scores)
}
print('together', all)
if (part === 'open') printChanges()
if (values.sealed !== undefined) {
  const date = new Date().toISOString().slice(0, 10)
  const line = `| ${date} | ${values.sealed} | ${figures(all)} | |\n`
  appendFileSync(join(folder, 'labels/sealed/log.md'), line)
}

async function scored(labelled: Labelled): Promise<Score> {
  const log = labelled.session
    ? (await readSession([readFileSync(join(corpus, labelled.session), 'utf8')])).log
    : answered(labelled.messages ?? [])
  // In a written session a label names the number of the message.
  const seqOf = (at: number): number => (labelled.session ? at : 2 * at - 1)
  return scoreOf(labelled, factsOf(log).rules, seqOf)
}

function answered(messages: readonly string[]): ReturnType<typeof logOf> {
  return logOf(
    messages.flatMap((content) => [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: 'OK.' },
    ]),
  )
}

/** A rule, what the human said later, and whether the rule still holds. */
interface ChangeLabel {
  rule: string
  later: string
  holds: boolean
  /** What was said later changes nothing, and is no rule. */
  control?: boolean
}

function printChanges(): void {
  const pairs = JSON.parse(
    readFileSync(join(folder, 'labels/open/changes.json'), 'utf8'),
  ) as ChangeLabel[]
  const counts = { sure: 0, beside: 0, wrong: 0, missed: 0 }
  for (const pair of pairs) {
    const outcome = outcomeOf(pair)
    counts[outcome] += 1
    if (values.misses && outcome !== 'sure')
      console.log(`  ${outcome.padEnd(7)} ${pair.rule} ← ${pair.later}`)
  }
  const { sure, beside, wrong, missed } = counts
  console.log(
    `changes   ${pairs.length} pairs: ${sure} as the label says, ${beside} listed in order, ${missed} not seen, ${wrong} wrong`,
  )
}

function outcomeOf({
  rule,
  later,
  holds,
  control,
}: ChangeLabel): 'sure' | 'beside' | 'wrong' | 'missed' {
  const said = [`Build a small service that stores notes. ${rule}`, later]
  const { rules } = factsOf(answered(said))
  const first = rules.find(({ seq, text }) => seq === 1 && text === rule)
  if (first === undefined) return 'missed'
  const isNewRule = rules.some(({ seq }) => seq === 3)
  const isListed = isNewRule || (first.later ?? []).some(({ seq }) => seq === 3)
  const isGone = first.retractedBy !== undefined
  if (control) return isGone || isNewRule ? 'wrong' : 'sure'
  if (holds) return isGone ? 'wrong' : isListed ? 'sure' : 'missed'
  return isGone ? 'sure' : isListed ? 'beside' : 'missed'
}

function print(name: string, scores: readonly Score[]): void {
  console.log(`${name.padEnd(9)} ${scores.length} sessions, ${figures(scores)}`)
  if (!values.misses || name === 'together') return
  for (const { name: session, missed, wrong, keptInForce } of scores) {
    for (const words of missed) console.log(`  missed  ${session}: ${words}`)
    for (const words of wrong) console.log(`  no rule ${session}: ${words.slice(0, 160)}`)
    for (const words of keptInForce)
      console.log(`  in force though taken back  ${session}: ${words}`)
  }
}

function figures(scores: readonly Score[]): string {
  const sum = (of: (score: Score) => number): number =>
    scores.reduce((total, score) => total + of(score), 0)
  const found = sum(({ found }) => found)
  const missed = sum(({ missed }) => missed.length)
  const wrong = sum(({ wrong }) => wrong.length)
  const kept = sum(({ keptInForce }) => keptInForce.length)
  const takenBack = sum(({ takenBack }) => takenBack)
  const beside = sum(({ beside }) => beside)
  const share = (part: number, whole: number): string =>
    whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}% (${part} of ${whole})`
  return `precision ${share(found, found + wrong)}, recall ${share(found, found + missed)}, taken back ${share(takenBack - kept, takenBack)}, said beside the rule ${beside} more`
}
