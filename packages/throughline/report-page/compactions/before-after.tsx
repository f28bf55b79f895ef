import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { Bar } from '../bar.tsx'
import { entryHash } from '../data.ts'
import { counted, short, whole } from '../numbers.ts'
import { Plain } from '../text/text.tsx'
import { fateOrder, fates } from '../words.ts'
import type { AfterRow, BeforeRow, Comparison, Fate } from '../../src/report/model.ts'

interface Props {
  detail: Comparison
  before: number
  after: number
  /** The newest entry of the log; what a plan would add has no place to go to. */
  newest: number
}

/** The context before and after, side by side, with what happened to each message. */
export function BeforeAfter({ detail, before, after, newest }: Props) {
  const { rows, result } = detail
  const held = sum(rows.map((row) => row.before))
  const left = sum(result.map(({ tokens }) => tokens))
  const widest = Math.max(before, held, 1)
  const byFate = fateOrder
    .map((fate) => ({ fate, rows: rows.filter((row) => row.fate === fate) }))
    .filter((group) => group.rows.length > 0)
  return (
    <div class="before-after">
      <h3>Before and after</h3>
      <ul class="legend">
        {byFate.map(({ fate, rows: own }) => (
          <li>
            <Sign fate={fate} bare /> {fates[fate].name} <b>{whole(own.length)}</b>
            <span class="quiet">: {fates[fate].means}</span>
          </li>
        ))}
      </ul>
      <div class="side-by-side">
        <div>
          <h4>Before: {whole(before)} tokens</h4>
          <Bar
            whole={widest}
            stretches={[
              ...byFate.map(({ fate, rows: own }) => ({
                look: `fate-${fate}`,
                name: fates[fate].name,
                tokens: sum(own.map((row) => row.before)),
              })),
              {
                look: 'kind-fixed',
                name: 'System prompt, tools',
                tokens: Math.max(before - held, 0),
              },
            ]}
          />
          <ol class="rows">
            {stretchesOf(rows).map((stretch) => (
              <Stretch rows={stretch} />
            ))}
          </ol>
        </div>
        <div>
          <h4>After: {whole(after)} tokens</h4>
          <Bar
            whole={widest}
            stretches={[
              ...result.map((row) => ({
                look: row.is === 'summary' ? 'kind-summary' : lookOf(row),
                name: row.what,
                tokens: row.tokens,
              })),
              {
                look: 'kind-fixed',
                name: 'System prompt, tools',
                tokens: Math.max(after - left, 0),
              },
            ]}
          />
          <ol class="rows">
            {result.length === 0 && <li class="quiet">Nothing of it.</li>}
            {result.map((row) => (
              <After row={row} newest={newest} />
            ))}
          </ol>
        </div>
      </div>
    </div>
  )
}

function lookOf({ is }: AfterRow): string {
  return is === 'note' ? 'kind-harness' : `fate-${is}`
}

function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0)
}

/** A sign, a colour and a word: any of them is enough. */
function Sign({ fate, bare = false }: { fate: Fate; bare?: boolean }) {
  return (
    <span class={`sign sign-${fate}`} title={fates[fate].name}>
      <span aria-hidden="true">{fates[fate].sign}</span>
      {!bare && <span class="unseen">{fates[fate].name}</span>}
    </span>
  )
}

/** Runs of messages that were treated alike. */
function stretchesOf(rows: readonly BeforeRow[]): BeforeRow[][] {
  const stretches: BeforeRow[][] = []
  for (const row of rows) {
    const last = stretches.at(-1)
    if (last?.[0]?.fate === row.fate) last.push(row)
    else stretches.push([row])
  }
  return stretches
}

function Stretch({ rows }: { rows: readonly BeforeRow[] }) {
  const [open, setOpen] = useState(false)
  const [first] = rows
  if (!first) return null
  if (rows.length === 1) {
    return (
      <li>
        <Before row={first} />
      </li>
    )
  }
  const last = rows.at(-1) ?? first
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Sign fate={first.fate} />
          <span class="what">
            {counted(rows.length, 'message')} {fates[first.fate].name}, entries {first.seq} to{' '}
            {last.seq}
          </span>
          <b>{short(sum(rows.map(({ before }) => before)))}</b>
        </summary>
        {open && (
          <ol class="rows">
            {rows.map((row) => (
              <li>
                <Before row={row} />
              </li>
            ))}
          </ol>
        )}
      </details>
    </li>
  )
}

function Before({ row }: { row: BeforeRow }) {
  return (
    <span class="row">
      <Sign fate={row.fate} />
      <a class="what" href={entryHash(row.seq)}>
        <span class="seq">{row.seq}</span> {sanitizeLine(row.what)}
      </a>
      <b>
        {short(row.before)}
        {row.after > 0 && row.fate !== 'kept' ? ` → ${short(row.after)}` : ''}
      </b>
    </span>
  )
}

function After({ row, newest }: { row: AfterRow; newest: number }) {
  const isLogged = row.seq <= newest
  const isFolded = row.text !== undefined && row.text !== ''
  const head = (
    <>
      {row.is === 'summary' ? (
        <span class="sign sign-summarized" aria-hidden="true">
          Σ
        </span>
      ) : row.is === 'note' ? (
        <span class="sign" aria-hidden="true">
          ✎
        </span>
      ) : (
        <Sign fate={row.is} />
      )}
      <span class="what">
        {isFolded || !isLogged ? (
          <span class="seq">{isLogged ? row.seq : '–'}</span>
        ) : (
          <a href={entryHash(row.seq)} class="seq">
            {row.seq}
          </a>
        )}{' '}
        {row.is === 'summary' ? 'the summary' : sanitizeLine(row.what)}
      </span>
      <b>{short(row.tokens)}</b>
    </>
  )
  if (!isFolded) {
    return (
      <li>
        <span class="row">{head}</span>
      </li>
    )
  }
  return (
    <li>
      <details>
        <summary>{head}</summary>
        <p class="quiet">
          {isLogged && <a href={entryHash(row.seq)}>Entry {row.seq}</a>} What the model sees:
        </p>
        <Plain text={row.text ?? ''} />
      </details>
    </li>
  )
}
