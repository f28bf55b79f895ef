import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { entryHash } from '../data.ts'
import { whole } from '../numbers.ts'
import type { Lost } from '../../src/report/model.ts'

/** Names with the entries that they stand in; the newest first. */
export function Names({
  name,
  all,
  open = 4,
}: {
  name: string
  all: readonly Lost[]
  open?: number
}) {
  const [more, setMore] = useState(false)
  if (all.length === 0) return null
  const shown = more ? all.toReversed() : all.slice(-open).toReversed()
  return (
    <div class="names">
      <h3>
        {name} <span class="count">{whole(all.length)}</span>
      </h3>
      <ul>
        {shown.map(({ name: text, seq }) => (
          <li>
            <a href={entryHash(seq)} title={sanitizeLine(text)}>
              {sanitizeLine(text)}
            </a>
          </li>
        ))}
      </ul>
      {all.length > shown.length && (
        <button type="button" class="more" onClick={() => setMore(true)}>
          {whole(all.length - shown.length)} more
        </button>
      )}
    </div>
  )
}
