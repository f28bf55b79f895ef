import { useMemo, useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { tokensOf, type MachineSession } from '../../src/report/machine.ts'
import { counted, dollars, moment, percent, short } from '../numbers.ts'

interface Field {
  heading: string
  /** Sorts by this, the largest first. */
  by: (session: MachineSession) => number
  cell: (session: MachineSession) => string
}

const fields: readonly Field[] = [
  { heading: 'Written', by: ({ written }) => written, cell: ({ written }) => moment(written) },
  { heading: 'Cost', by: (each) => each.dollars ?? 0, cell: costText },
  { heading: 'Tokens', by: tokensOf, cell: (each) => short(tokensOf(each)) },
  {
    heading: 'Full',
    by: ({ tokens, usable }) => tokens / usable,
    cell: ({ tokens, usable }) => percent(tokens, usable),
  },
  {
    heading: 'Compacted',
    by: ({ compactions }) => compactions.length,
    cell: ({ compactions }) => (compactions.length === 0 ? '–' : String(compactions.length)),
  },
]

function costText({ dollars: cost }: MachineSession): string {
  return cost === null ? '–' : dollars(cost)
}

const step = 100

/** Every session, sorted by what the reader chooses. */
export function SessionTable({ sessions }: { sessions: readonly MachineSession[] }) {
  const [sorted, setSorted] = useState(0)
  const [shown, setShown] = useState(step)
  const rows = useMemo(() => {
    const by = fields[sorted]?.by ?? (() => 0)
    return [...sessions].sort((one, other) => by(other) - by(one))
  }, [sessions, sorted])
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">
        Sessions <span class="count">{counted(sessions.length, 'session')}</span>
      </h2>
      <div class="scrolled" tabIndex={0} role="region" aria-label="The sessions as a table">
        <table class="sessions">
          <thead>
            <tr>
              <th scope="col">Session</th>
              {fields.map(({ heading }, index) => (
                <th scope="col" aria-sort={index === sorted ? 'descending' : 'none'}>
                  <button type="button" onClick={() => setSorted(index)}>
                    {heading}
                    {index === sorted ? ' ↓' : ''}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((session) => (
              <tr>
                <th scope="row">
                  {sanitizeLine(session.title ?? 'No request')}
                  <small class="quiet">
                    <code>{session.name}</code> {sanitizeLine(session.directory ?? '')}
                  </small>
                </th>
                {fields.map(({ cell }) => (
                  <td>{cell(session)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + step)}>
          {counted(rows.length - shown, 'more session')}
        </button>
      )}
    </section>
  )
}
