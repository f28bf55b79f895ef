import { sanitizeLine } from '../../src/log/sanitize.ts'
import { Names } from '../answers/names.tsx'
import { StandingList } from '../answers/standing-list.tsx'
import { entryHash } from '../data.ts'
import { counted, dollars, moment, whole } from '../numbers.ts'
import { BeforeAfter } from './before-after.tsx'
import { SummaryText } from './summary-text.tsx'
import type { Compaction, Comparison, ReportModel } from '../../src/report/model.ts'

/** Every compaction, and what the next one would do. */
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
