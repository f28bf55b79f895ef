import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { compactionsOf, type MachineSession } from '../../src/report/machine.ts'
import { counted, moment, short } from '../numbers.ts'

const step = 12

/** What each compaction lost, the newest first. */
export function Lost({ sessions }: { sessions: readonly MachineSession[] }) {
  const [shown, setShown] = useState(step)
  const all = compactionsOf(sessions)
  return (
    <section aria-labelledby="lost">
      <h2 id="lost">
        What compactions lost <span class="count">{counted(all.length, 'compaction')}</span>
      </h2>
      {all.length === 0 && <p class="quiet">None of these sessions has been compacted.</p>}
      <ol class="lost">
        {all.slice(0, shown).map(({ at, by, before, after, rules, changed, others, session }) => (
          <li class="card">
            <p>
              <b>
                {short(before)} → {short(after)}
              </b>{' '}
              {sanitizeLine(by)} <span class="quiet">{moment(at)}</span>
            </p>
            <p class="quiet">
              {sanitizeLine(session.title ?? '')} <code>throughline report {session.name}</code>
            </p>
            <Names name="Rules" names={rules} />
            <Names name="Changed files" names={changed} />
            <p class="quiet">
              {rules.length + changed.length + others === 0
                ? 'Nothing by name.'
                : others > 0 &&
                  `${counted(others, 'other')}: requests, files read, checks, errors.`}
            </p>
          </li>
        ))}
      </ol>
      {all.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + step)}>
          {counted(all.length - shown, 'more compaction')}
        </button>
      )}
    </section>
  )
}

function Names({ name, names }: { name: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <>
      <h3 class="bad">{name}</h3>
      <ul class="sublist">
        {names.map((each) => (
          <li>{sanitizeLine(each)}</li>
        ))}
      </ul>
    </>
  )
}
