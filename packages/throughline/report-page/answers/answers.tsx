import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { type Filling, type ReportModel, type Standing } from '../../src/report/model.ts'
import { entryHash } from '../data.ts'
import { counted, dollars, percent, short, whole } from '../numbers.ts'
import { KindShares } from '../kind-shares.tsx'
import { Names } from './names.tsx'
import { StandingList } from './standing-list.tsx'

/** The four questions that somebody opens the page with. */
export function Answers({ model }: { model: ReportModel }) {
  return (
    <section class="answers" aria-label="The answers">
      <WindowCard model={model} />
      <MoneyCard model={model} />
      <ForgottenCard model={model} />
      <StandingCard standing={model.standing} />
    </section>
  )
}

function WindowCard({ model: { now, window } }: { model: ReportModel }) {
  const room = Math.max(window.usable, now.tokens)
  const full = now.tokens / Math.max(window.usable, 1)
  return (
    <article class="card">
      <h2>What fills the window</h2>
      <p class={`figure ${full >= 0.9 ? 'bad' : ''}`}>
        {percent(now.tokens, window.usable)}
        <small>
          {whole(now.tokens)} of {whole(window.usable)} usable tokens
          {now.counted ? '' : ', estimated'}
        </small>
      </p>
      <KindShares of={now.kinds} text={short} least={1} room={room} />
      <Largest name="By tool" fillings={now.tools} all={now.tokens} />
      <Largest name="By file" fillings={now.files} all={now.tokens} />
    </article>
  )
}

function Largest(props: { name: string; fillings: readonly Filling[]; all: number }) {
  const { name, fillings, all } = props
  const [first] = fillings
  if (!first) return null
  return (
    <details>
      <summary>
        {name}:{' '}
        <span class="quiet">
          {sanitizeLine(first.name)} {percent(first.tokens, all)}, …
        </span>
      </summary>
      <ul class="shares">
        {fillings.slice(0, 20).map((each) => (
          <li>
            <span class="path" title={sanitizeLine(each.name)}>
              {sanitizeLine(each.name)}
            </span>
            <b>{short(each.tokens)}</b>
            <em>{percent(each.tokens, all)}</em>
          </li>
        ))}
      </ul>
    </details>
  )
}

function MoneyCard({ model: { money, session } }: { model: ReportModel }) {
  const { cacheRead, cacheWrite, input, output } = money
  const sent = cacheRead.tokens + cacheWrite.tokens + input.tokens
  const known = money.dollars !== null
  const parts = [
    ['Read from the cache', cacheRead],
    ['Written to the cache', cacheWrite],
    ['Input not cached', input],
    ['Output', output],
  ] as const
  return (
    <article class="card">
      <h2>What costs money</h2>
      <p class="figure">
        {known ? dollars((money.dollars ?? 0) + money.summaries) : short(sent + output.tokens)}
        <small>
          {known
            ? ''
            : `tokens; ${session.model ? sanitizeLine(session.model) : 'the model'} has no known price. `}
          {counted(money.requests, 'request')}, {percent(cacheRead.tokens, sent)} of what was sent
          came from the cache
          {known && money.unpriced > 0 ? `; ${money.unpriced} have no known price` : ''}
        </small>
      </p>
      <ul class="shares">
        {parts
          .filter(([, part]) => part.tokens > 0)
          .map(([name, part]) => (
            <li>
              <span>{name}</span>
              <b>{short(part.tokens)}</b>
              <em>{known ? dollars(part.dollars) : ''}</em>
            </li>
          ))}
      </ul>
      {money.next && (
        <p>
          Each further request sends the window again: <b>{dollars(money.next.now)}</b>. Compacted
          it would be <b>{dollars(money.next.compacted)}</b>, after one of{' '}
          {dollars(money.next.first)} that fills the cache anew.
        </p>
      )}
      <CarriedList money={money} />
      {money.estimated > 0 && (
        <p class="quiet">
          {counted(money.estimated, 'request')} without usage in the file: their tokens are
          estimated, and a cache of five minutes is assumed.
        </p>
      )}
    </article>
  )
}

function ForgottenCard({ model: { compactions, next } }: { model: ReportModel }) {
  const newest = compactions.findLast(({ detail }) => detail !== undefined)
  const planned = 'detail' in next ? next : undefined
  const forgot = (newest ?? planned)?.detail?.forgot
  const lists = forgot
    ? ([
        ['Rules', forgot.rules],
        ['Requests', forgot.requests],
        ['Changed files', forgot.changed],
        ['Files read', forgot.read],
        ['Checks', forgot.commands],
        ['Errors', forgot.errors],
      ] as const)
    : []
  const count = lists.reduce((sum, [, all]) => sum + all.length, 0)
  return (
    <article class="card">
      <h2>{newest ? 'What the newest compaction forgot' : 'What a compaction now would forget'}</h2>
      {newest ? (
        <p class={`figure ${count > 0 ? 'bad' : 'good'}`}>
          {count === 0 ? 'nothing' : whole(count)}
          <small>
            {count === 0 ? 'by name' : `${count === 1 ? 'name' : 'names'} left the context`} at{' '}
            <a href={`#c${newest.seq}`}>
              {short(newest.before)} → {short(newest.after)} tokens
            </a>
            {compactions.length > 1 ? `, the last of ${compactions.length}` : ''}
          </small>
        </p>
      ) : (
        <p class="figure">
          {planned ? (count === 0 ? 'nothing' : whole(count)) : '–'}
          <small>
            {planned ? (
              <>
                {count === 0 ? 'by name' : count === 1 ? 'name' : 'names'} if it were compacted now,{' '}
                <a href="#next">
                  {short(planned.before)} → {short(planned.after)} tokens
                </a>
                . Nobody has compacted it yet.
              </>
            ) : (
              'Nobody has compacted it.'
            )}
          </small>
        </p>
      )}
      {lists.map(([name, all]) => (
        <Names name={name} all={all} />
      ))}
    </article>
  )
}

function StandingCard({ standing }: { standing: Standing }) {
  return (
    <article class="card">
      <h2>What is still in</h2>
      <StandingList standing={standing} />
    </article>
  )
}

/** What was sent again and again, the costliest first. */
function CarriedList({ money: { carried, dollars: known } }: { money: ReportModel['money'] }) {
  const [all, setAll] = useState(false)
  const shown = carried.slice(0, all ? carried.length : 3)
  if (shown.length === 0) return null
  return (
    <div class="names">
      <h3>{known === null ? 'Sent again and again' : 'Costliest to carry along'}</h3>
      <ol class="carried">
        {shown.map((each) => (
          <li>
            <a href={entryHash(each.seq)} title={sanitizeLine(each.what)}>
              {sanitizeLine(each.what)}
            </a>
            <span class="quiet">
              {short(each.tokens)} × {each.times}
              {each.dollars === null ? '' : ` = ${dollars(each.dollars)}`}
            </span>
          </li>
        ))}
      </ol>
      {carried.length > shown.length && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {carried.length - shown.length} more
        </button>
      )}
    </div>
  )
}
