import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markText, shareOf, tokensOf, type Compactor, type Sitting } from 'throughline/evaluation'
import { readSession } from 'throughline/formats'
import { percent } from '../fidelity/goals.ts'

/** How many sessions the page shows. */
const shown = 3

const intro = `# Whole summaries

Each session is compacted where its own client compacted it. Below stand, as they are, the summary
that the client wrote, the one that code writes, and the one that comes of a model's recorded answer.
Behind each stands how many facts of the exam it states: the summary alone, without the kept
messages. The page is written by \`npm run bench:facts -- --page FILE\`.
`

/** A page with whole summaries, beside what the client of the session wrote. */
export async function summariesPage(
  sittings: readonly Sitting[],
  compactors: readonly Compactor[],
  { sessions, keep }: { sessions: string; keep: number },
): Promise<string> {
  const parts: string[] = [intro]
  let pages = 0
  for (const sitting of sittings) {
    const theirs = await summaryOfClient(sitting, sessions)
    if (theirs === undefined || pages >= shown) continue
    pages += 1
    const { session } = sitting
    parts.push(`## ${session.name}\n`)
    parts.push(section(`${session.harness} itself`, theirs, sitting))
    for (const compactor of compactors) {
      const { log, directories } = session
      const { summary } = await compactor.compact({ log, keep, directories })
      parts.push(section(`${compactor.name}, ${keep} tokens kept with its tail`, summary, sitting))
    }
  }
  return `${parts.join('\n')}\n`
}

function section(title: string, summary: string, { exam }: Sitting): string {
  const share = percent(shareOf(markText(exam, summary)))
  const fence = '`'.repeat(
    Math.max(3, ...[...summary.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)),
  )
  return `### ${title}\n\n${tokensOf(summary)} tokens, ${share} of the facts.\n\n${fence}text\n${summary}\n${fence}\n`
}

/** The summary of the first compaction that the client made from there on. */
async function summaryOfClient(
  { exam, session }: Sitting,
  sessions: string,
): Promise<string | undefined> {
  const whole = await readSession([await readFile(join(sessions, exam.session))])
  const next = whole.log.slice(session.log.length).find(({ kind }) => kind === 'checkpoint')
  return next?.kind === 'checkpoint' && next.summary.length > 1_000 ? next.summary : undefined
}
