import { useState } from 'preact/hooks'
import { sanitize, sanitizeLine } from '../../src/log/sanitize.ts'
import { entryHash } from '../data.ts'
import { whole } from '../numbers.ts'
import { Line } from '../text/text.tsx'
import { foreignRef, sourceAlias } from '../../src/log/source.ts'
import type { SummaryLine } from '../../src/report/model.ts'

const shownAtFirst = 60

/** The lines of a summary, each with the entries that it rests on. */
export function SummaryText({ lines }: { lines: readonly SummaryLine[] }) {
  const [all, setAll] = useState(false)
  if (lines.length === 0) return null
  const cited = lines.filter(({ refs, elsewhere }) => refs.length + elsewhere.length > 0).length
  const others = new Set(
    lines.flatMap(({ elsewhere }) => elsewhere.map(({ source }) => source.name)),
  )
  const found = lines.filter((line) => line.found.length > 0).length
  const shown = all ? lines : lines.slice(0, shownAtFirst)
  return (
    <div class="summary-text">
      <h3>The summary, and what it rests on</h3>
      <p class="quiet">
        {whole(lines.length)} lines: {whole(cited)} cite their entry
        {others.size > 0 ? ` (also of ${sanitizeLine([...others].join(', '))})` : ''}
        {found > 0 ? `, for ${whole(found)} the entry was found by a name in them (≈)` : ''}.
      </p>
      <div class="lines">
        {shown.map((line) => (
          <SummaryRow line={line} />
        ))}
      </div>
      {lines.length > shown.length && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {whole(lines.length - shown.length)} more lines
        </button>
      )}
    </div>
  )
}

function SummaryRow({ line }: { line: SummaryLine }) {
  const { text, refs, elsewhere, found } = line
  if (text.trim() === '') return <div class="blank" />
  const safe = sanitize(text)
  const heading = /^#{1,6}\s/.exec(safe)
  const [indent = ''] = /^\s*/.exec(safe) ?? []
  const depth = Math.min(Math.floor(indent.length / 2), 4)
  if (heading) return <p class="line heading">{safe.slice(heading[0].length)}</p>
  return (
    <p
      class={`line depth-${depth} ${refs.length + elsewhere.length + found.length > 0 ? 'based' : ''}`}
    >
      <span class="said">
        <Line text={withoutRefs(safe.slice(indent.length), [...refs, ...elsewhere.map(foreign)])} />
      </span>
      {refs.map((ref) => (
        <a
          class="evidence"
          href={entryHash(Number.parseInt(ref, 10))}
          title={`It rests on entry ${ref}`}
        >
          {ref}
        </a>
      ))}
      {elsewhere.map(({ source, ref }) => (
        <span class="evidence" title={`It rests on entry ${ref} of ${sanitizeLine(source.name)}`}>
          ↗{ref}
        </span>
      ))}
      {found.map((seq) => (
        <a
          class="evidence guessed"
          href={entryHash(seq)}
          title={`Entry ${seq} holds a name of this line`}
        >
          ≈{seq}
        </a>
      ))}
    </p>
  )
}

function foreign({ source, ref }: SummaryLine['elsewhere'][number]): string {
  return foreignRef(sourceAlias(source), ref)
}

/** The refs stand behind the line as links. */
function withoutRefs(text: string, refs: readonly string[]): string {
  return refs
    .reduce((rest, ref) => rest.replace(` [${ref}]`, '').replace(`[${ref}] `, ''), text)
    .replace(/^[-*+]\s+/, '• ')
}
