import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markText, shareOf, tokensOf, type Compactor, type Sitting } from 'throughline/evaluation'
import { readSession } from 'throughline/formats'
import { percent } from '../fidelity/goals.ts'

/** How many sessions the page shows. */
const shown = 3

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 120rem; padding: 1.5rem; }
h1, h2 { line-height: 1.2; margin: 1.5rem 0 0.5rem; }
.kept { display: grid; gap: 1rem; grid-template-columns: repeat(3, minmax(0, 1fr)); }
.kept h3 { font-size: 1rem; margin: 0; }
.kept p { margin: 0 0 0.5rem; opacity: 0.75; }
pre { border: 1px solid color-mix(in srgb, currentcolor 25%, transparent); border-radius: 6px;
  font: 12px/1.45 ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; padding: 0.75rem;
  white-space: pre-wrap; }
@media (max-width: 60rem) { .kept { grid-template-columns: minmax(0, 1fr); } }
`

const intro = `<p>Each session is compacted where its own client compacted it. Below stand, as they are, the
summary that the client wrote, the one that code writes, and the one that comes of a model’s
recorded answer. Above each stands how many facts of the exam it states: the summary alone, without
the kept messages. <code>npm run bench:facts -- --page FILE</code> writes this page.</p>`

/** A page of HTML with whole summaries, each beside what the client of the session wrote. */
export async function summariesPage(
  sittings: readonly Sitting[],
  compactors: readonly Compactor[],
  { sessions, keep }: { sessions: string; keep: number },
): Promise<string> {
  const parts: string[] = []
  for (const sitting of sittings) {
    const theirs = await summaryOfClient(sitting, sessions)
    if (theirs === undefined || parts.length >= shown) continue
    const { session } = sitting
    const kept = [section(`${session.harness} itself`, theirs, sitting)]
    for (const compactor of compactors) {
      const { log, directories } = session
      const { summary } = await compactor.compact({ log, keep, directories })
      kept.push(section(`${compactor.name}, ${keep} tokens kept with its tail`, summary, sitting))
    }
    parts.push(`<h2>${escaped(session.name)}</h2>\n<div class="kept">\n${kept.join('\n')}\n</div>`)
  }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Whole summaries</title>
<style>${style}</style>
<h1>Whole summaries</h1>
${intro}
${parts.join('\n')}
</html>
`
}

function section(title: string, summary: string, { exam }: Sitting): string {
  const share = percent(shareOf(markText(exam, summary)))
  return `<section><h3>${escaped(title)}</h3><p>${tokensOf(summary)} tokens, ${share} of the facts</p><pre>${escaped(summary)}</pre></section>`
}

/** Text of sessions is nobody's markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
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
