import { sanitizeLine, sanitize } from '../../src/log/sanitize.ts'
import { Names } from '../answers/names.tsx'
import { StandingList } from '../answers/standing-list.tsx'
import { entryHash } from '../data.ts'
import { counted, dollars, moment, whole } from '../numbers.ts'
import { BeforeAfter } from './before-after.tsx'
import type { Compaction, Comparison, ReportModel, SummaryLine } from '../../src/report/model.ts'
import { useState } from 'preact/hooks'
import { Line } from '../text/text.tsx'
import { foreignRef, sourceAlias } from '../../src/log/source.ts'

export function Compactions({ model }: { model: ReportModel }) {
  const { compactions, rewinds, next } = model
  const undone = new Set(rewinds.map(({ undid }) => undid))
  const last = model.entries.at(-1)?.seq ?? 0
  const newest = compactions.findLast(({ detail }) => detail !== undefined)?.seq
  return (
    <section id="compactions" aria-label="Compactions">
      <h2>Compactions</h2>
      {compactions.length === 0 && (
        <p>Nobody has compacted this session yet. Below is what a compaction would do now.</p>
      )}
      {compactions.map((each, index) => (
        <details class="compaction" id={`c${each.seq}`} key={each.seq} open={each.seq === newest}>
          <summary>
            <span class="number">{index + 1}</span>
            <strong>
              {each.kind === 'pruning'
                ? 'Pruned'
                : `Summarized by ${each.by === 'local' ? 'Throughline, without a model' : sanitizeLine(each.by)}`}
            </strong>
            <span>
              {whole(each.before)} → {whole(each.after)} tokens
            </span>
            <span class={`badge ${each.state === 'in force' ? 'good' : ''}`}>
              {undone.has(each.seq) ? 'undone' : each.state}
            </span>
          </summary>
          <Made compaction={each} newest={last} />
        </details>
      ))}
      <Next next={next} first={compactions.length === 0} newest={last} />
    </section>
  )
}

function Made({ compaction, newest }: { compaction: Compaction; newest: number }) {
  const { seq, at, request, trigger, spent, detail, before, after } = compaction
  return (
    <>
      <p class="quiet">
        <a href={entryHash(seq)}>Entry {seq}</a>, after request {whole(request)}, {moment(at)}
        {trigger === undefined ? '' : `, ${sanitizeLine(trigger)}`}
        {spent === undefined ? '' : `, for ${dollars(spent)}`}.
      </p>
      {detail ? (
        <Detail
          newest={newest}
          detail={detail}
          before={before}
          after={after}
          forgotTitle="Forgotten, by name"
        />
      ) : (
        <p>It is too long ago to be compared here; the newest thirty are.</p>
      )}
    </>
  )
}

function Next(props: { next: ReportModel['next']; first: boolean; newest: number }) {
  const { next, first, newest } = props
  if ('reason' in next) {
    return (
      <p id="next" class="plan">
        <span class="badge plan-badge">Plan</span> A compaction now would change nothing.{' '}
        {sanitizeLine(next.reason)}
      </p>
    )
  }
  return (
    <details class="compaction plan" id="next" open={first}>
      <summary>
        <span class="badge plan-badge">Plan</span>
        <strong>If it were compacted now</strong>
        <span>
          {whole(next.before)} → {whole(next.after)} tokens
        </span>
        <span class="quiet">nothing was done, no model was called</span>
      </summary>
      {next.detail && (
        <Detail
          newest={newest}
          detail={next.detail}
          before={next.before}
          after={next.after}
          forgotTitle="It would forget, by name"
        />
      )}
    </details>
  )
}

function Detail(props: {
  detail: Comparison
  before: number
  after: number
  newest: number
  forgotTitle: string
}) {
  const { detail, before, after, newest, forgotTitle } = props
  const { forgot, unreadable, standing } = detail
  const lists = [
    ['Rules', forgot.rules],
    ['Requests', forgot.requests],
    ['Changed files', forgot.changed],
    ['Files read', forgot.read],
    ['Checks', forgot.commands],
    ['Unresolved errors', forgot.errors],
  ] as const
  const none = lists.every(([, all]) => all.length === 0)
  const { results, skills, media, reasoning, human } = forgot.parts
  const parts = [
    [results, 'tool result'],
    [human, 'message of yours', 'messages of yours'],
    [skills, 'skill'],
    [media, 'part with images or files', 'parts with images or files'],
    [reasoning, 'piece of thinking', 'pieces of thinking'],
  ] as const
  const gone = parts.flatMap(([count, one, several]) =>
    count === 0 ? [] : [counted(count, one, several)],
  )
  return (
    <>
      {unreadable && (
        <p class="note">
          Its summary is encrypted: only the provider knows what it says. What follows counts what a
          reader can see.
        </p>
      )}
      <div class="forgot">
        <h3>{forgotTitle}</h3>
        {none && <p class="good">Nothing that has a name.</p>}
        <div class="columns">
          {lists.map(([name, all]) => (
            <Names name={name} all={all} open={6} />
          ))}
        </div>
        {gone.length > 0 && (
          <p class="quiet">Out of the model’s sight, and still in the log: {gone.join(', ')}.</p>
        )}
      </div>
      <BeforeAfter detail={detail} before={before} after={after} newest={newest} />
      <SummaryText lines={detail.summary} />
      <details>
        <summary>Rules, requests and files after it</summary>
        <StandingList standing={standing} />
      </details>
    </>
  )
}

const shownAtFirst = 60

/** The lines of a summary, each with the entries that it rests on. */
function SummaryText({ lines }: { lines: readonly SummaryLine[] }) {
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
